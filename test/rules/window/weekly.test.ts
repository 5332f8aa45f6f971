import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseInstant } from "../../../src/rules/window/instant.ts";
import { parseWeekday, weekdayName, weeklyWindows, type Weekday, type WeeklyWindow } from "../../../src/rules/window/weekly.ts";
import { openingAt } from "../../../src/rules/window/window.ts";

const days: readonly Weekday[] = [0, 1, 2, 3, 4, 5, 6];

describe("a weekday is read", () => {
  const names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
  test.each(names.flatMap((name, day) => [[name, day] as const, [name.slice(0, 3), day] as const]))("%s is %d", (name, day) => {
    expect([name, name.toLowerCase(), name.toUpperCase()].map(parseWeekday)).toEqual([day, day, day]);
  });

  test.each(["", "S", "Sund", "Tues", " Sun", "Sun,Mon"])("but not %o", (text) => {
    expect(parseWeekday(text)).toBeUndefined();
  });

  test.each(days)("as it is printed: %d", (day) => {
    expect(parseWeekday(weekdayName(day))).toBe(day);
    expect(weekdayName(day)).toMatch(/^[A-Z][a-z]{2}$/);
  });
});

/** 2026-11-20 is a Friday. */
function openingOn(weekly: WeeklyWindow, instant: string): unknown {
  const now = parseInstant(instant)!;
  return openingAt(weeklyWindows(weekly, now), now);
}

function open(until: string): unknown {
  return { kind: "open", until: parseInstant(until) };
}

function closed(opensAt: string): unknown {
  return { kind: "closed", opensAt: parseInstant(opensAt) };
}

describe("a weekly window", () => {
  const everyDay = { utcStartHour: 2, weekdays: [] };
  const friday = { utcStartHour: 2, weekdays: [5] } as const;
  const weekend = { utcStartHour: 23, weekdays: [6, 0] } as const;
  const midnight = { utcStartHour: 0, weekdays: [0] } as const;
  test.each<[string, WeeklyWindow, string, unknown]>([
    ["of every day, at its hour", everyDay, "2026-11-20T02:00:00Z", open("2026-11-20T03:00:00Z")],
    ["of the weekend, on Sunday's midnight", weekend, "2026-11-22T00:00:00Z", closed("2026-11-22T23:00:00Z")],
    ["at midnight, in its first second", midnight, "2026-11-22T00:00:00Z", open("2026-11-22T01:00:00Z")],
    ["across the year's end", friday, "2026-12-30T00:00:00Z", closed("2027-01-01T02:00:00Z")],
    [
      "where European clocks go forward",
      { utcStartHour: 1, weekdays: [0] },
      "2026-03-29T01:30:00Z",
      open("2026-03-29T02:00:00Z"),
    ],
    ["before the epoch", { utcStartHour: 5, weekdays: [3] }, "1969-12-31T05:30:00Z", open("1969-12-31T06:00:00Z")],
  ])("%s", (...[, weekly, instant, opening]) => {
    expect(openingOn(weekly, instant)).toEqual(opening);
  });

  const anyWeekly: fc.Arbitrary<WeeklyWindow> = fc.record({
    utcStartHour: fc.nat({ max: 23 }),
    weekdays: fc.uniqueArray(fc.constantFrom(...days)),
  });
  const anyInstant = fc.integer({ min: -200_000, max: 13_600_000_000 });

  test("is open in the hours that the calendar names", () => {
    fc.assert(
      fc.property(anyWeekly, anyInstant, (weekly, now) => {
        const date = new Date(now * 1000);
        const isDay = weekly.weekdays.length === 0 || weekly.weekdays.includes(date.getUTCDay() as Weekday);
        const isOpen = isDay && date.getUTCHours() === weekly.utcStartHour;
        expect(openingAt(weeklyWindows(weekly, now), now).kind).toBe(isOpen ? "open" : "closed");
      }),
    );
  });
});
