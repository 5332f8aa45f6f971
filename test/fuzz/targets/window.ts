import type * as ScheduleModule from "../../../src/rules/window/schedule.ts";
import type * as InstantModule from "../../../src/rules/window/instant.ts";
import { near } from "../mutate.ts";
import type { Random } from "../random.ts";
import { moduleOf } from "../source.ts";
import { taken, target, type Target } from "../target.ts";
import { instantText } from "../texts.ts";

function scheduleText(random: Random): string {
  const line = (): string => {
    const start = random.pick([1_800_000_000, 0, 9_999_990_000]) + random.below(9000);
    const stop = start + random.pick([3600, 3600, 3600, 1, 0, -1]);
    const remark = random.pick(["", "", " -> Tue 2027", " ->", "\t->\tx", " 7"]);
    return random.pick([`${start} ${stop}${remark}`, `${start}\t ${stop}${remark}`, "# remark", ""]);
  };
  if (random.onceIn(6)) return random.pick(["nop", "# no maintenance\nnop\n", "", "# nothing\n", "nop\nnop\n"]);
  return random.several(1, 3, line).join(random.pick(["\n", "\n", "\r\n"]));
}

const schedule: Target = target({
  name: "schedule",
  generate: near(scheduleText),
  load: async (source) => {
    const { parseSchedule, scheduleAt } = await moduleOf<typeof ScheduleModule>(source, "rules/window/schedule.ts");
    return {
      read: (input) => {
        const found = parseSchedule(input);
        scheduleAt(found, 1_800_003_600);
        return found.kind === "invalid" ? { kind: "refused", told: [found.text, found.why] } : { kind: "accepted", value: found };
      },
      print: (value) => {
        if (value.kind === "windows") return value.windows.map(({ start, stop }) => `${start} ${stop}\n`).join("");
        return value.kind === "never" ? "nop\n" : "";
      },
    };
  },
});

/** What the printed form can hold. */
const [firstInstant, lastInstant] = [-62_167_219_200, 253_402_300_799];

const instant: Target = target({
  name: "instant",
  generate: near(instantText),
  load: async (source) => {
    const { parseInstant, printInstant } = await moduleOf<typeof InstantModule>(source, "rules/window/instant.ts");
    return {
      read: (input) => taken(parseInstant(input)),
      print: (value) => (value < firstInstant || value > lastInstant ? undefined : printInstant(value)),
    };
  },
});

export const windowTargets: readonly Target[] = [schedule, instant];
