import * as fc from "fast-check";
import { DateTime } from "luxon";
import { describe, expect, test } from "vitest";
import { printInstant } from "../../../src/rules/window/instant.ts";
import { localOpenings, type LocalWindow } from "../../../src/rules/window/local.ts";
import type { Weekday } from "../../../src/rules/window/weekly.ts";
import { at, clocksOf, zones } from "./clocks.ts";

const day = 86_400;

function windowAt(start: string, hours: number, weekdays: readonly Weekday[] = []): LocalWindow {
  const [hour = 0, minute = 0] = start.split(":").map(Number);
  return { start: hour * 3600 + minute * 60, durationSeconds: hours * 3600, weekdays, timezone: undefined };
}

describe("on days on which the clocks are set on or back", () => {
  test.each<[zone: string, LocalWindow, from: string, days: number, told: readonly string[]]>([
    // Skipped: it opens at 03:00, when the clocks are set on.
    ["Europe/Berlin", windowAt("02:30", 2), "2027-03-27", 2, ["03-28T01:00:00Z start-skipped", "03-29T00:30:00Z as ever"]],
    // Shown twice: it opens at the first of both.
    ["Europe/Berlin", windowAt("02:30", 2), "2026-10-24", 2, ["10-25T00:30:00Z start-twice", "10-26T01:30:00Z as ever"]],
    // It lasts two real hours and ends at what is shown as 02:00.
    ["Europe/Berlin", windowAt("01:00", 2), "2026-10-24", 1, ["10-24T23:00:00Z end-shifted"]],
    ["America/New_York", windowAt("02:00", 1), "2027-03-13", 2, ["03-14T07:00:00Z start-skipped", "03-15T06:00:00Z as ever"]],
    ["America/New_York", windowAt("01:30", 1), "2026-10-31", 1, ["11-01T05:30:00Z start-twice"]],
    // By half an hour: it opens at 02:30.
    ["Australia/Lord_Howe", windowAt("02:15", 1), "2026-10-03", 1, ["10-03T15:30:00Z start-skipped"]],
    ["Australia/Lord_Howe", windowAt("01:45", 1), "2027-04-03", 1, ["04-03T14:45:00Z start-twice"]],
    ["Asia/Tokyo", windowAt("02:30", 2), "2027-03-27", 2, ["03-27T17:30:00Z as ever", "03-28T17:30:00Z as ever"]],
    // Its clocks skip midnight: it opens when they are set on to 01:00.
    ["Africa/Cairo", windowAt("00:00", 1, [5]), "2027-04-29", 1, ["04-29T22:00:00Z start-skipped"]],
  ])("%s, %j, from %s", (zone, window, from, days, told) => {
    const noon = at(`${from}T12:00Z`);
    const found = localOpenings(window, { start: noon, stop: noon + days * day }, clocksOf(zone));
    expect(found.map(({ start, change = "as ever" }) => `${printInstant(start).slice(5)} ${change}`)).toEqual(told);
    expect(found.every(({ start, stop }) => stop - start === window.durationSeconds)).toBe(true);
  });
});

describe("a window belongs to the day on which it opens, in its zone", () => {
  test.each<[string, LocalWindow, readonly [string, string], readonly string[]]>([
    [
      "Saturday's 23:00 of Berlin is Saturday in UTC too",
      windowAt("23:00", 4, [6]),
      ["2026-11-27T00:00Z", "2026-11-30T00:00Z"],
      ["2026-11-28T22:00:00Z"],
    ],
    [
      "Saturday's 00:30 of Berlin is still Friday in UTC",
      windowAt("00:30", 1, [6]),
      ["2026-11-26T00:00Z", "2026-11-30T00:00Z"],
      ["2026-11-27T23:30:00Z"],
    ],
    [
      "a day long, it lasts into the next day",
      windowAt("12:00", 24, [0]),
      ["2026-11-23T10:59:59Z", "2026-11-23T11:00Z"],
      ["2026-11-22T11:00:00Z"],
    ],
    ["its last second is not in it", windowAt("12:00", 24, [0]), ["2026-11-23T11:00Z", "2026-11-24T00:00Z"], []],
    [
      "one that opens at the end of the span is not in it",
      windowAt("01:00", 1),
      ["2026-11-23T00:00Z", "2026-11-24T00:00Z"],
      ["2026-11-23T00:00:00Z"],
    ],
  ])("%s", (_title, window, span, starts) =>
    expect(
      localOpenings(window, { start: at(span[0]), stop: at(span[1]) }, clocksOf("Europe/Berlin")).map(({ start }) =>
        printInstant(start),
      ),
    ).toEqual(starts),
  );
});

/** From 2020 to 2037: what is settled of the rules of zones. */
const anyDay = fc.integer({ min: 18_262, max: 24_837 });
const anyWindow: fc.Arbitrary<LocalWindow> = fc.record({
  start: fc.integer({ min: 0, max: 1439 }).map((minute) => minute * 60),
  durationSeconds: fc.integer({ min: 30, max: 1440 }).map((minutes) => minutes * 60),
  weekdays: fc.uniqueArray(fc.constantFrom<Weekday[]>(0, 1, 2, 3, 4, 5, 6)),
  timezone: fc.constant(undefined),
});

describe("read once more by luxon", () => {
  test("each day of the zone that is named opens it once, when the clocks show its start, or as they are set on past it", () => {
    fc.assert(
      fc.property(anyWindow, anyDay, fc.constantFrom(...zones), (window, first, zone) => {
        const span = { start: first * day, stop: (first + 20) * day };
        const found = localOpenings(window, span, clocksOf(zone));
        const from = DateTime.fromSeconds(span.start, { zone }).minus({ days: 2 }).startOf("day");
        const expected = Array.from({ length: 25 }, (_, days) => from.plus({ days }))
          .filter(({ weekday }) => window.weekdays.length === 0 || window.weekdays.includes((weekday % 7) as Weekday))
          .map((date) => openingOf(date, window, zone))
          .filter((start) => start < span.stop && start + window.durationSeconds > span.start);
        expect(found.map(({ start }) => start)).toEqual(expected);
        expect(found.every(({ start, stop }) => stop - start === window.durationSeconds)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("what it says of the clocks is what they show at its ends", () => {
    fc.assert(
      fc.property(anyWindow, anyDay, fc.constantFrom(...zones), (window, first, zone) => {
        for (const { start, stop, change } of localOpenings(
          window,
          { start: first * day, stop: (first + 250) * day },
          clocksOf(zone),
        )) {
          const [opens, closes] = [start, stop].map((seconds) => DateTime.fromSeconds(seconds, { zone })) as [DateTime, DateTime];
          const isShown = opens.hour * 3600 + opens.minute * 60 === window.start;
          const isTwice = [1800, 3600].some((later) => shows(start + later, zone, window));
          const isShifted = opens.offset !== closes.offset;
          const expected = !isShown ? "start-skipped" : isTwice ? "start-twice" : isShifted ? "end-shifted" : undefined;
          expect(change).toBe(expected);
        }
      }),
      { numRuns: 30 },
    );
  });
});

/** A minute after the other, until the clocks of that day show the start or something later. */
function openingOf(date: DateTime, { start }: LocalWindow, zone: string): number {
  const wanted = date.set({ hour: Math.floor(start / 3600), minute: Math.floor(start / 60) % 60 });
  // luxon takes the first of two, and an hour later what is skipped.
  if (wanted.hour * 3600 + wanted.minute * 60 === start && wanted.day === date.day) return wanted.toSeconds();
  let moment = wanted.toSeconds() - 7200;
  const offset = DateTime.fromSeconds(moment, { zone }).offset;
  while (DateTime.fromSeconds(moment, { zone }).offset === offset) moment += 60;
  return moment;
}

function shows(instant: number, zone: string, { start }: LocalWindow): boolean {
  const shown = DateTime.fromSeconds(instant, { zone });
  return shown.hour * 3600 + shown.minute * 60 === start;
}
