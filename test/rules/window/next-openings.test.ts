import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lastButOneOpening, nextOpenings, shortestPieceSeconds, windowsWithin } from "../../../src/rules/window/next-openings.ts";
import { weekdayOf, type Weekday } from "../../../src/rules/window/weekly.ts";

/** 2026-01-05, a Monday, 00:00 UTC. */
const monday = 1_767_571_200;
const [minute, hour, day] = [60, 3600, 86_400];
const dayOf = (seconds: number): Weekday => weekdayOf(Math.floor(seconds / day));
const mondays = { utcStartHour: 13, weekdays: [dayOf(monday)] };

describe("the next openings", () => {
  test.each([
    ["today, before it opens", monday, [], [monday + 13 * hour, monday + 7 * day + 13 * hour]],
    [
      "not the one that has opened already",
      monday + 13 * hour,
      [],
      [monday + 7 * day + 13 * hour, monday + 14 * day + 13 * hour],
    ],
    [
      "none in a blackout",
      monday,
      [{ start: monday, stop: monday + 8 * day }],
      [monday + 14 * day + 13 * hour, monday + 21 * day + 13 * hour],
    ],
    [
      "what a blackout leaves of one at its end",
      monday,
      [{ start: monday, stop: monday + 13 * hour + 20 * minute }],
      [monday + 13 * hour + 20 * minute, monday + 7 * day + 13 * hour],
    ],
    [
      "both pieces beside a short blackout",
      monday,
      [{ start: monday + 13 * hour + 20 * minute, stop: monday + 13 * hour + 30 * minute }],
      [monday + 13 * hour, monday + 13 * hour + 30 * minute],
    ],
    [
      "no piece that is too short for a move",
      monday,
      [{ start: monday + 13 * hour + 9 * minute, stop: monday + 13 * hour + 51 * minute }],
      [monday + 7 * day + 13 * hour, monday + 14 * day + 13 * hour],
    ],
  ])("are %s", (_what, now, blackouts, openings) => {
    expect(nextOpenings({ weekly: mondays, blackouts }, now, 2)).toEqual(openings);
  });

  test("end where a blackout has no end in sight", () => {
    const blackouts = [{ start: monday - day, stop: monday + 5000 * day }];
    expect(nextOpenings({ weekly: mondays, blackouts }, monday, 3)).toEqual([]);
  });

  test("come in order, after now, and a move fits behind each before the next blackout", () => {
    const blackout = fc
      .tuple(fc.integer({ min: 0, max: 40 * 24 * 60 }), fc.integer({ min: 1, max: 3 * 24 * 60 }))
      .map(([from, length]) => ({ start: monday + from * minute, stop: monday + (from + length) * minute }));
    fc.assert(
      fc.property(fc.array(blackout, { maxLength: 5 }), fc.integer({ min: 0, max: 23 }), (blackouts, utcStartHour) => {
        const openings = nextOpenings({ weekly: { utcStartHour, weekdays: [] }, blackouts }, monday, 5);
        expect(openings).toEqual(openings.toSorted((one, other) => one - other));
        expect(openings).toHaveLength(5);
        for (const opening of openings) {
          expect(opening).toBeGreaterThan(monday);
          const isFree = blackouts.every(({ start, stop }) => stop <= opening || start >= opening + shortestPieceSeconds);
          expect(isFree).toBe(true);
        }
      }),
    );
  });
});

describe("the windows within some time", () => {
  const mondayAt13 = { start: monday + 13 * hour, stop: monday + 14 * hour };
  const later = (weeks: number): typeof mondayAt13 => ({
    start: mondayAt13.start + weeks * 7 * day,
    stop: mondayAt13.stop + weeks * 7 * day,
  });
  test.each([
    ["are those that open in it", monday, [], [later(0), later(1)]],
    ["hold the one that is open", monday + 13 * hour + 30 * minute, [], [later(0), later(1)]],
    ["hold none that is over", monday + 14 * hour, [], [later(1)]],
    [
      "hold the next one behind a freeze while one is open",
      mondayAt13.start,
      [{ start: mondayAt13.stop, stop: monday + 50 * day }],
      [later(0), later(8)],
    ],
    ["are none where a freeze has no end in sight", monday, [{ start: monday, stop: monday + 5000 * day }], []],
  ])("%s", (_what, now, blackouts, windows) => {
    expect(windowsWithin({ weekly: mondays, blackouts }, now, 8 * day)).toEqual(windows);
  });
});

describe("the last but one of the windows that have closed", () => {
  const opened = monday + 13 * hour;
  const find = (now: number, since = 0, blackouts: readonly { start: number; stop: number }[] = []) =>
    lastButOneOpening({ weekly: mondays, blackouts }, now, since);

  test.each([
    ["while the next one is open", opened + 14 * day + 59 * minute, opened],
    ["once that has closed", opened + 14 * day + hour, opened + 7 * day],
  ])("%s", (_, now, wanted) => {
    expect(find(now)).toBe(wanted);
  });

  test("counts only if the windows were the same then", () => {
    const now = opened + 15 * day;
    expect([find(now, opened + 7 * day), find(now, opened + 7 * day + 1)]).toEqual([opened + 7 * day, undefined]);
  });

  test("passes over windows that a blackout took, and takes the pieces of one for one", () => {
    const now = opened + 15 * day;
    expect(find(now, 0, [{ start: opened + 6 * day, stop: opened + 8 * day }])).toBe(opened);
    expect(find(now, 0, [{ start: opened + 14 * day + 20 * minute, stop: opened + 14 * day + 30 * minute }])).toBe(
      opened + 7 * day,
    );
    expect(find(now, 0, [{ start: opened - 90 * day, stop: now }])).toBeUndefined();
  });

  test("is yesterday's of those of each day", () => {
    const daily = { weekly: { utcStartHour: 2, weekdays: [] }, blackouts: [] };
    expect(lastButOneOpening(daily, monday + 3 * hour, 0)).toBe(monday - day + 2 * hour);
    expect(lastButOneOpening(daily, monday + 2 * hour, 0)).toBe(monday - 2 * day + 2 * hour);
  });
});
