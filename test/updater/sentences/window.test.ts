import { expect, test } from "vitest";
import { tellOwnWindows, writtenDuration, writtenTime } from "../../../src/updater/sentences/window.ts";

const local = { start: 84_300, durationSeconds: 5400, weekdays: [], timezone: undefined } as const;

test.each([
  [{ hourly: [], local: [local] }, "every day at 23:25 for 1h30m, the time of this host"],
  [
    { hourly: [{ utcStartHour: 3, weekdays: [] }], local: [{ ...local, weekdays: [1, 6], timezone: "Asia/Tokyo" }] },
    "at 3 and Mon, Sat at 23:25 for 1h30m, Asia/Tokyo",
  ],
  [{ hourly: [{ utcStartHour: 3, weekdays: [] }], local: [] }, "at 3"],
] as const)("windows are told as the settings set them: %j", (own, told) => {
  expect(tellOwnWindows(own, ({ utcStartHour }) => `at ${utcStartHour}`)).toBe(told);
});

test("an hour of UTC is told as one, where nobody tells it otherwise", () => {
  expect(tellOwnWindows({ hourly: [{ utcStartHour: 3, weekdays: [] }], local: [] })).toBe("every day at 03:00 UTC for an hour");
});

test.each([
  [1800, "00:30", "30m"],
  [3600, "01:00", "1h"],
  [86_340, "23:59", "23h59m"],
])("%i seconds are written as %s, and as %s", (seconds, time, duration) => {
  expect([writtenTime(seconds), writtenDuration(seconds)]).toEqual([time, duration]);
});
