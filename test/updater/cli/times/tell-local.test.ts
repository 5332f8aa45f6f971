import { describe, expect, test } from "vitest";
import { tellDistance, tellDuration, tellLocal, tellRange } from "../../../../src/updater/cli/times/tell-local.ts";

const hour = 3600;

function at(text: string): number {
  return Date.parse(text) / 1000;
}

describe("an instant is told as the clocks of a zone show it", () => {
  test.each([
    ["UTC", "Sun 2026-11-22 02:00 UTC"],
    ["Europe/Berlin", "Sun 2026-11-22 03:00 GMT+1"],
    ["America/New_York", "Sat 2026-11-21 21:00 EST"],
    ["Asia/Kathmandu", "Sun 2026-11-22 07:45 GMT+5:45"],
  ])("in %s: %s", (zone, told) => {
    expect(tellLocal(at("2026-11-22T02:00:59Z"), zone)).toBe(told);
  });
});

describe("a range is told", () => {
  test.each([
    ["2026-11-22T02:00Z", hour, "UTC", "Sun 2026-11-22 02:00–03:00 UTC"],
    ["2026-11-22T02:00Z", hour, "Europe/Berlin", "Sun 2026-11-22 03:00–04:00 GMT+1"],
    ["2026-11-22T23:30Z", hour, "UTC", "Sun 2026-11-22 23:30–Mon 00:30 UTC"],
    ["2026-11-22T23:00Z", hour, "UTC", "Sun 2026-11-22 23:00–Mon 00:00 UTC"],
    ["2026-11-22T23:00Z", 7 * 24 * hour - 1, "UTC", "Sun 2026-11-22 23:00–Sun 22:59 UTC"],
    ["2026-11-22T23:00Z", 7 * 24 * hour, "UTC", "Sun 2026-11-22 23:00–Sun 2026-11-29 23:00 UTC"],
    ["2026-12-24T00:00Z", 9 * 24 * hour, "UTC", "Thu 2026-12-24 00:00–Sat 2027-01-02 00:00 UTC"],
    // The clocks are set back at 01:00 UTC, and on at 01:00 UTC.
    ["2026-10-25T00:30Z", hour, "Europe/Berlin", "Sun 2026-10-25 02:30 GMT+2–02:30 GMT+1"],
    ["2027-03-28T00:30Z", hour, "Europe/Berlin", "Sun 2027-03-28 01:30 GMT+1–03:30 GMT+2"],
  ])("from %s for %d seconds in %s: %s", (from, seconds, zone, told) => {
    expect(tellRange({ start: at(from), stop: at(from) + seconds }, zone)).toBe(told);
  });
});

describe("a duration is told in one unit, rounded down", () => {
  test.each([
    [0, "0 seconds"],
    [1, "1 second"],
    [59.9, "59 seconds"],
    [60, "1 minute"],
    [hour - 1, "59 minutes"],
    [hour, "1 hour"],
    [2 * hour - 10, "1 hour 59 minutes"],
    [2 * hour + 30, "2 hours"],
    [3 * hour - 1, "2 hours 59 minutes"],
    [4 * hour - 1, "3 hours"],
    [48 * hour - 1, "1 day 23 hours"],
    [-8 * 24 * hour, "8 days"],
  ])("%d: %s", (seconds, told) => {
    expect(tellDuration(seconds)).toBe(told);
  });

  test("and a distance with its direction", () => {
    expect([-120, 0, 120].map((away) => tellDistance(1000 + away, 1000))).toEqual(["2 minutes ago", "now", "in 2 minutes"]);
  });
});
