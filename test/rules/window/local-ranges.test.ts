import * as fc from "fast-check";
import { DateTime } from "luxon";
import { describe, expect, test } from "vitest";
import { printInstant } from "../../../src/rules/window/instant.ts";
import { rangesOf, type LocalRange, type RangeEnd } from "../../../src/rules/window/local-ranges.ts";
import { isBefore, type MonthDay } from "../../../src/rules/window/month-day.ts";
import { at, clocksOf, zones } from "./clocks.ts";

/** As the clocks show it. */
function shown(text: string): RangeEnd {
  return { kind: "shown", shown: at(`${text}Z`) };
}

function instant(text: string): RangeEnd {
  return { kind: "instant", instant: at(text) };
}

function ranges(range: LocalRange, zone: string, from: string, until = from): readonly string[] {
  const found = rangesOf(range, { start: at(from), stop: at(until) }, clocksOf(zone));
  return found.map(({ start, stop }) => `${printInstant(start)} ${printInstant(stop)}`);
}

describe("of dates and times", () => {
  test.each<[string, from: RangeEnd, to: string, string]>([
    ["by the clocks of the zone", shown("2026-12-24T18:00"), "2027-01-04T06:00", "2026-12-24T17:00:00Z 2027-01-04T05:00:00Z"],
    ["one end by itself", instant("2026-12-20T00:00Z"), "2027-07-01T00:00", "2026-12-20T00:00:00Z 2027-06-30T22:00:00Z"],
    // The clocks are set on from 02:00 to 03:00, and back from 03:00 to 02:00.
    ["skipped at both ends: nothing", shown("2027-03-28T02:10"), "2027-03-28T02:50", "2027-03-28T01:00:00Z 2027-03-28T01:00:00Z"],
    ["to what is skipped", shown("2027-03-28T01:00"), "2027-03-28T02:50", "2027-03-28T00:00:00Z 2027-03-28T01:00:00Z"],
    ["shown twice at both ends", shown("2026-10-25T02:10"), "2026-10-25T02:50", "2026-10-25T00:10:00Z 2026-10-25T01:50:00Z"],
  ])("%s", (_title, from, to, expected) =>
    expect(ranges({ kind: "dated", from, to: shown(to) }, "Europe/Berlin", "2020-01-01T00:00Z")).toEqual([expected]),
  );
});

const yearly = (from: MonthDay, to: MonthDay): LocalRange => ({ kind: "yearly", from, to });
const monthDay = ([month, date]: readonly [number, number]): MonthDay => ({ month, date });

type Days = readonly [month: number, date: number];
/** The range of one year, and one of whole days in UTC. */
const berlin = (year: number): string => `${year}-06-30T22:00:00Z ${year}-07-01T22:00:00Z`;
const newYork = (year: number): string => `${year}-12-20T05:00:00Z ${year + 1}-01-02T05:00:00Z`;
const utc = (from: string, to: string): string => `${from}T00:00:00Z ${to}T00:00:00Z`;

describe("of every year", () => {
  test.each<[string, Days, Days, zone: string, now: string, readonly string[]]>([
    ["over the end of the year", [12, 20], [1, 2], "America/New_York", "2027-01-01", [2026, 2027, 2028].map(newYork)],
    ["within a year", [7, 1], [7, 2], "Europe/Berlin", "2026-11-20", [2025, 2026, 2027].map(berlin)],
    [
      "from the 29th of February, which is the first of March in other years",
      ...([[2, 29], [3, 2], "UTC", "2027-05-01"] as const),
      [utc("2026-03-01", "2026-03-02"), utc("2027-03-01", "2027-03-02"), utc("2028-02-29", "2028-03-02")],
    ],
    [
      "of the 29th of February alone: nothing in other years",
      ...([[2, 29], [3, 1], "UTC", "2027-05-01"] as const),
      [utc("2028-02-29", "2028-03-01")],
    ],
    [
      "to the 29th of February",
      ...([[2, 27], [2, 29], "UTC", "2027-05-01"] as const),
      [utc("2026-02-27", "2026-03-01"), utc("2027-02-27", "2027-03-01"), utc("2028-02-27", "2028-02-29")],
    ],
    [
      "from a midnight that the clocks skip",
      ...([[4, 30], [5, 1], "Africa/Cairo", "2027-06-01"] as const),
      expect.arrayContaining(["2027-04-29T22:00:00Z 2027-04-30T21:00:00Z"]),
    ],
  ])("%s", (_title, from, to, zone, now, expected) =>
    expect(ranges(yearly(monthDay(from), monthDay(to)), zone, `${now}T12:00Z`)).toEqual(expected),
  );

  test("whenever it is, a day is in it by the clocks of the zone, or it is not", () => {
    const anyDay = fc.integer({ min: 0, max: 365 }).map((days): MonthDay => {
      const date = new Date(Date.UTC(2028, 0, 1 + days));
      return { month: date.getUTCMonth() + 1, date: date.getUTCDate() };
    });
    fc.assert(
      fc.property(anyDay, anyDay, fc.integer({ min: 1_577_836_800, max: 2_145_916_800 }), (from, to, now) => {
        for (const zone of zones) {
          const found = rangesOf(yearly(from, to), { start: now, stop: now + 1 }, clocksOf(zone));
          const isIn = found.some(({ start, stop }) => start <= now && now < stop);
          expect(isIn).toBe(isDayIn(DateTime.fromSeconds(now, { zone }), from, to));
          // What comes next is known as well.
          expect(found.length === 0 || found.some(({ start }) => start > now)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});

/** Day by day, as somebody with a calendar on the wall would say it. */
function isDayIn(now: DateTime, from: MonthDay, to: MonthDay): boolean {
  const today = { month: now.month, date: now.day };
  const moved = (day: MonthDay): MonthDay =>
    day.month === 2 && day.date === 29 && !now.isInLeapYear ? { month: 3, date: 1 } : day;
  const isFrom = !isBefore(today, moved(from));
  const isTo = isBefore(today, moved(to));
  return isBefore(from, to) ? isFrom && isTo : isFrom || isTo;
}

test("days of a year have their order", () => {
  expect([
    isBefore({ month: 1, date: 2 }, { month: 1, date: 3 }),
    isBefore({ month: 2, date: 1 }, { month: 1, date: 3 }),
  ]).toEqual([true, false]);
});
