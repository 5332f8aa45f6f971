import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import type { ChannelAnswer } from "../../../src/rules/decide/gate-facts.ts";
import type { Asked } from "../../../src/updater/plan/host-policy.ts";
import { emptyState, type State } from "../../../src/updater/record/state.ts";
import { printInstant } from "../../../src/rules/window/instant.ts";
import { closedSchedule, fakeHost, now, serves } from "./given.ts";
import { offline, pass } from "./stage.ts";

type Tick = {
  readonly seconds: number;
  readonly hold: number | "endless" | "none";
  readonly answer?: ChannelAnswer;
  readonly asked?: Asked["when"];
  readonly breaksOff?: true;
};

function holding(hold: Tick["hold"]): object {
  if (hold === "none") return {};
  return { hold: hold === "endless" ? { reason: "a fair" } : { until: printInstant(now + hold) } };
}

/** What the passes of one host say of the end of a hold. */
async function said(...ticks: readonly Tick[]): Promise<readonly string[]> {
  let state: State = emptyState;
  const lines: string[] = [];
  for (const { seconds, hold, answer = serves("15.4.6"), asked = "timer", breaksOff } of ticks) {
    const host = fakeHost({ at: now + seconds, answer, schedule: closedSchedule });
    const broken = new Fault("manager-unclear", { message: "two managers", hint: "name one" });
    const ports = breaksOff ? { ...host.ports, findManager: () => Promise.reject(broken) } : host.ports;
    const passing = pass({ ports }, { values: holding(hold), asked: { when: asked, absent: "stop" }, state });
    if (breaksOff) await expect(passing).rejects.toBe(broken);
    else await passing;
    state = host.saved.at(-1) ?? state;
    lines.push(
      ...host.lines.flatMap(({ level, sentence }) => (sentence.includes("hold ended") ? [`${level}: ${sentence}`] : [])),
    );
  }
  return lines;
}

/** A pass so many seconds after the first, and the end of the hold in its settings in the same seconds. */
function at(seconds: number, hold: Tick["hold"], more: Omit<Tick, "seconds" | "hold"> = {}): Tick {
  return { seconds, hold, ...more };
}

function ended(seconds: number): string {
  return `notice: the hold ended at ${printInstant(now + seconds)}; upgrades go on`;
}

describe("the end of a hold", () => {
  test.each<[string, readonly Tick[], readonly string[]]>([
    ["by the first pass after it", [at(0, 900), at(600, 900), at(1200, 900), at(1800, 900)], [ended(900)]],
    ["at the very second", [at(0, 900), at(900, 900), at(901, 900)], [ended(900)]],
    ["though the channel is down then", [at(0, 900), at(1200, 900, { answer: offline }), at(1800, 900)], [ended(900)]],
    ["though the pass that says it breaks off", [at(0, 900), at(1200, 900, { breaksOff: true }), at(1800, 900)], [ended(900)]],
    ["when it was shortened, for that end", [at(0, 9000), at(1200, 900), at(1800, 900)], [ended(900)]],
    ["when it was prolonged, for the new end alone", [at(0, 900), at(600, 1500), at(1200, 1500), at(1800, 1500)], [ended(1500)]],
    ["for each of two holds", [at(0, 900), at(1200, 900), at(1800, 2000), at(2400, 2000)], [ended(900), ended(2000)]],
  ])("is said once %s", async (_, ticks, lines) => {
    expect(await said(...ticks)).toEqual(lines);
  });

  test.each<[string, readonly Tick[]]>([
    ["that was taken back before it", [at(0, 900), at(600, "none"), at(1200, "none")]],
    ["that lasts for ever by now", [at(0, 900), at(1200, "endless"), at(1800, "none")]],
    ["that no pass met", [at(1200, 900), at(1800, 900)]],
  ])("is not said of one %s", async (_, ticks) => {
    expect(await said(...ticks)).toEqual([]);
  });
});
