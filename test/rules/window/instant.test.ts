import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseInstant, printInstant } from "../../../src/rules/window/instant.ts";

const firstSecond = Date.UTC(1970, 0, 1) / 1000;
const lastSecond = Date.UTC(2400, 11, 31, 23, 59, 59) / 1000;
const anyInstant = fc.integer({ min: firstSecond, max: lastSecond });

describe("an instant is printed", () => {
  test.each([
    [0, "1970-01-01T00:00:00Z"],
    [-1, "1969-12-31T23:59:59Z"],
    [951_782_399, "2000-02-28T23:59:59Z"],
    [951_782_400, "2000-02-29T00:00:00Z"],
    [1_800_000_000, "2027-01-15T08:00:00Z"],
    [2_147_483_648, "2038-01-19T03:14:08Z"],
    [4_107_542_400, "2100-03-01T00:00:00Z"],
    [253_402_300_800, "10000-01-01T00:00:00Z"],
    [1_800_000_000.9, "2027-01-15T08:00:00Z"],
  ])("%d is %s", (instant, printed) => {
    expect(printInstant(instant)).toBe(printed);
  });

  test("as the calendar has it, from 1970 to 2400", () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        expect(printInstant(instant)).toBe(new Date(instant * 1000).toISOString().replace(".000", ""));
      }),
    );
  });

  test("on every day of four centuries", () => {
    const days = Array.from({ length: 146_097 }, (_, day) => day * 86_400);
    expect(days.filter((day) => parseInstant(printInstant(day)) !== day)).toEqual([]);
  });
});

describe("an instant is read", () => {
  test.each([
    ["in UTC", "2026-12-24T18:30:15Z", Date.UTC(2026, 11, 24, 18, 30, 15)],
    ["without seconds", "2026-12-24T18:30Z", Date.UTC(2026, 11, 24, 18, 30)],
    ["east of Greenwich", "2026-12-24T00:30:00+05:30", Date.UTC(2026, 11, 23, 19)],
    ["west of Greenwich", "2026-12-31T19:00:00-05:00", Date.UTC(2027, 0, 1)],
    ["with an offset of nothing", "2026-12-24T00:00:00-00:00", Date.UTC(2026, 11, 24)],
    ["as a date", "2026-12-24", Date.UTC(2026, 11, 24)],
    ["on a leap day", "2028-02-29T12:00:00Z", Date.UTC(2028, 1, 29, 12)],
    ["on the leap day of a fourth century", "2400-02-29", Date.UTC(2400, 1, 29)],
  ])("%s", (_, text, milliseconds) => {
    expect(parseInstant(text)).toBe(milliseconds / 1000);
  });

  test.each([
    ["nothing", ""],
    ["a word", "tomorrow"],
    ["a local time", "2026-12-24T18:30:15"],
    ["a space for the T", "2026-12-24 18:30:15Z"],
    ["a newline after it", "2026-12-24\n"],
    ["a date with an offset", "2026-12-24Z"],
    ["month 13", "2026-13-01"],
    ["day 32", "2026-12-32"],
    ["the 31st of November", "2026-11-31"],
    ["a leap day in a year without one", "2026-02-29"],
    ["a leap day in a century without one", "2100-02-29"],
    ["hour 24", "2026-12-24T24:00:00Z"],
    ["minute 60", "2026-12-24T00:60:00Z"],
    ["second 60", "2026-12-24T00:00:60Z"],
    ["an offset of 24 hours", "2026-12-24T00:00:00+24:00"],
    ["an offset of 60 minutes", "2026-12-24T00:00:00+00:60"],
    ["an offset without its colon", "2026-12-24T00:00:00+0530"],
    ["a fraction", "2026-12-24T00:00:00.5Z"],
    ["unix seconds", "1800000000"],
    ["five digits of year", "12026-12-24"],
  ])("but not %s", (_, text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test("again as it was printed", () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        expect(parseInstant(printInstant(instant))).toBe(instant);
      }),
    );
  });

  test("the same in every offset", () => {
    const two = (value: number): string => String(value).padStart(2, "0");
    const offset = fc.tuple(fc.constantFrom("+", "-"), fc.nat({ max: 23 }), fc.nat({ max: 59 }));
    fc.assert(
      fc.property(fc.integer({ min: firstSecond + 86_400, max: lastSecond }), offset, (instant, [sign, hours, minutes]) => {
        const shift = (sign === "-" ? -1 : 1) * (hours * 3600 + minutes * 60);
        const local = printInstant(instant + shift).replace("Z", `${sign}${two(hours)}:${two(minutes)}`);
        expect(parseInstant(local)).toBe(instant);
      }),
    );
  });

  test("without a crash, whatever the text", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        const instant = parseInstant(text);
        expect(Number.isSafeInteger(instant ?? 0)).toBe(true);
      }),
    );
  });
});
