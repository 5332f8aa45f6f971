import { describe, expect, test } from "vitest";
import type { Asked } from "../../../src/updater/plan/host-policy.ts";
import { emptyState, type State } from "../../../src/updater/record/state.ts";
import type { Schedule } from "../../../src/rules/window/schedule.ts";
import { fakeHost, now, openSchedule, serves } from "./given.ts";
import { pass } from "./stage.ts";

type Tick = { readonly schedule: Schedule; readonly served?: string; readonly by?: "hand"; readonly settings?: object };

const missing: Schedule = { kind: "missing" };
const empty: Schedule = { kind: "empty" };
const invalid: Schedule = { kind: "invalid", line: 2, text: "one two", why: "it is no time" };
const stale: Schedule = { kind: "stale", endedAt: now - 3600 };

/** What the passes of one host say of a schedule that is none, each in its level; "" where a pass says nothing of it. */
async function said(...ticks: readonly Tick[]): Promise<readonly string[]> {
  let state: State = emptyState;
  const lines: string[] = [];
  for (const [at, { schedule, served = "15.4.5", by, settings = {} }] of ticks.entries()) {
    const host = fakeHost({ at: now + at, answer: serves(served), schedule });
    const asked: Asked = { when: "timer", absent: "stop", ...(by === undefined ? {} : { by }) };
    await pass({ ports: host.ports }, { values: settings, asked, state });
    state = host.saved.at(-1) ?? state;
    const told = host.lines.find(({ sentence }) => sentence.includes("no valid schedule"));
    lines.push(
      told === undefined ? "" : `${told.level}: ${told.sentence.replace(/.*?(no valid schedule)/, "$1").replace(/[,;].*/, "")}`,
    );
  }
  return lines;
}

const isMissing = "no valid schedule: the file is missing";
const isEmpty = "no valid schedule: the file is empty";

describe("a host that is up to date, and has no valid schedule", () => {
  test("is warned of once, and then told quietly", async () => {
    const tick = { schedule: missing };
    expect(await said(tick, tick, tick)).toEqual([`warning: ${isMissing}`, `info: ${isMissing}`, `info: ${isMissing}`]);
  });

  test("is warned of whenever that changes, each in its own words", async () => {
    const ticks = [missing, empty, invalid, stale, stale, missing].map((schedule) => ({ schedule }));
    expect(await said(...ticks)).toEqual([
      `warning: ${isMissing}`,
      `warning: ${isEmpty}`,
      'warning: no valid schedule: line 2 reads "one two": it is no time',
      `warning: no valid schedule: its last window ended at 2027-01-15T07:00:00Z`,
      `info: no valid schedule: its last window ended at 2027-01-15T07:00:00Z`,
      `warning: ${isMissing}`,
    ]);
  });

  test("always warns whoever runs a pass by hand, and that counts as told", async () => {
    const ticks = [{ schedule: missing, by: "hand" as const }, { schedule: missing }, { schedule: missing, by: "hand" as const }];
    expect(await said(...ticks)).toEqual([`warning: ${isMissing}`, `info: ${isMissing}`, `warning: ${isMissing}`]);
  });

  test("was told of while an upgrade waited for it, too, but not behind another reason", async () => {
    expect(await said({ schedule: missing, served: "15.4.6" }, { schedule: missing })).toEqual([
      `warning: ${isMissing}`,
      `info: ${isMissing}`,
    ]);
    expect(await said({ schedule: missing, served: "15.4.6", settings: { hold: {} } }, { schedule: missing })).toEqual([
      "",
      `warning: ${isMissing}`,
    ]);
  });

  test.each<readonly [string, Tick]>([
    ["a window of the settings stands in", { schedule: missing, settings: { window: { utc_start_hour: 3 } } }],
    ["upgrades need none", { schedule: missing, settings: { unscheduled: "anytime" } }],
    ["it names windows", { schedule: openSchedule }],
  ])("is none where %s", async (_title, tick) => {
    expect(await said(tick)).toEqual([""]);
  });

  test("wakes nobody that changes hosts", async () => {
    const host = fakeHost({ answer: serves("15.4.5"), schedule: missing });
    await pass({ ports: host.ports });
    expect(host.settled).toEqual([]);
    expect(host.saved.at(-1)?.noSchedule).toBe("schedule-missing");
  });
});
