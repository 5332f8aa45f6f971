import { describe, expect, test } from "vitest";
import { openingsOf } from "../../../src/updater/status/openings.ts";
import type { Schedule } from "../../../src/rules/window/schedule.ts";
import { settings } from "../pass/given.ts";
import { now, openSchedule } from "../plan/given.ts";

const hour = 3600;

describe("the next windows", () => {
  test.each<[title: string, values: object, schedule: Schedule, starts: readonly number[]]>([
    ["are those of the schedule, the open one among them", {}, openSchedule, [now - 600, now - 600 + 7 * 24 * hour]],
    [
      "are the first of them, in their order, and none that is over",
      {},
      { kind: "windows", windows: [9, 3, -2, 5, 7].map((at) => ({ start: now + at * hour, stop: now + (at + 1) * hour })) },
      [3, 5, 7].map((at) => now + at * hour),
    ],
    ["are none where the schedule has none", {}, { kind: "never" }, []],
    [
      "are those of the settings where they have any",
      { window: { utc_start_hour: 4, weekdays: ["Fri"] } },
      openSchedule,
      [now + 110 * 60, now + 110 * 60 + 7 * 24 * hour],
    ],
  ])("%s", (_title, values, schedule, starts) => {
    expect(openingsOf(settings(values), schedule, now).map(({ start }) => start)).toEqual(starts);
  });
});
