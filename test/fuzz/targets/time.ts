import type * as ScheduleModule from "../../../src/window/schedule.ts";
import type * as InstantModule from "../../../src/window/instant.ts";
import type * as WeeklyModule from "../../../src/window/weekly.ts";
import { accepted, compare, finding, isPrintableLine, refused } from "../compare.ts";
import { isStale, naiveInstant, naiveSchedule, naiveWeekday } from "../naive/time.ts";
import type { Random } from "../random.ts";
import { moduleOf } from "../source.ts";
import { target, type Target } from "../target.ts";
import { instantText, near } from "../texts.ts";

const someNow = 1_800_000_000;

function scheduleText(random: Random): string {
  const line = (): string => {
    const start = random.pick([someNow, 0, 9_999_990_000]) + random.below(9000);
    const stop = start + random.pick([3600, 1, 0, -1]);
    const remark = random.pick(["", "", " -> Tue 2027", " ->", " -> ", "\t->\tx", " ->x", " 7", " # no"]);
    return random.pick([
      `${start} ${stop}${remark}`,
      `${start}\t ${stop}${remark}`,
      "# remark",
      "",
      "nop",
      `  ${start} ${stop}  `,
    ]);
  };
  if (random.onceIn(6)) return random.pick(["nop", "nop\n", "# no maintenance\nnop\n", "", "\n", "# nothing\n", "nop\nnop\n"]);
  const window = `${someNow} ${someNow + 3600} -> Mon\n`;
  return random.onceIn(2) ? `# windows\n${window}` : random.several(1, 5, line).join(random.pick(["\n", "\n", "\r\n"]));
}

const schedule: Target = target({
  name: "schedule",
  generate: (random) => ({
    text: near(scheduleText)(random),
    now: random.pick([someNow, 0, 9_999_999_999]) + random.pick([0, 3599, 3600, 3601, random.below(10_000)]),
  }),
  load: async (source) => {
    const { parseSchedule, scheduleAt } = await moduleOf<typeof ScheduleModule>(source, "window/schedule.ts");
    return ({ text, now }) => {
      const parsed = parseSchedule(text);
      const expected = naiveSchedule(text);
      if (parsed.kind === "invalid") {
        if (!isPrintableLine(parsed.text) || parsed.text.length > 150) return finding("quotes more than a short printable line");
        return expected.kind === "invalid" && expected.line === parsed.line ? refused : compare(`line ${parsed.line}`, expected);
      }
      const verdict = compare(parsed, expected.kind === "invalid" ? undefined : expected);
      if (verdict !== accepted) return verdict;
      const isPast = expected.kind === "windows" && isStale(expected.windows, now);
      const { kind } = scheduleAt(parsed, now);
      return kind === (isPast ? "stale" : expected.kind) ? accepted : finding(`is ${kind} at ${now}`);
    };
  },
});

/** What the printed form can hold. */
const [firstInstant, lastInstant] = [-62_167_219_200, 253_402_300_799];

const instant: Target = target({
  name: "instant",
  generate: near(instantText),
  load: async (source) => {
    const { parseInstant, printInstant } = await moduleOf<typeof InstantModule>(source, "window/instant.ts");
    return (input) => {
      const found = parseInstant(input);
      const verdict = compare(found, naiveInstant(input));
      if (verdict !== accepted || found === undefined || found < firstInstant || found > lastInstant) return verdict;
      return compare(printInstant(found), new Date(found * 1000).toISOString().replace(".000Z", "Z"));
    };
  },
});

const weekday: Target = target({
  name: "weekday",
  generate: near((random) => {
    const name = random.pick(["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]);
    return random.pick([name, name.slice(0, 3), name.toUpperCase(), name.toLowerCase(), name.slice(0, 4), `${name}s`]);
  }),
  load: async (source) => {
    const { parseWeekday } = await moduleOf<typeof WeeklyModule>(source, "window/weekly.ts");
    return (input) => compare(parseWeekday(input), naiveWeekday(input));
  },
});

export const timeTargets: readonly Target[] = [schedule, instant, weekday];
