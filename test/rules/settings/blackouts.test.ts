import { describe, expect, test } from "vitest";
import { blackouts } from "../../../src/rules/settings/read-ranges.ts";
import { check } from "../../../src/rules/shape/check.ts";

function shown(text: string): object {
  return { kind: "shown", shown: Date.parse(`${text}Z`) / 1000 };
}

function instant(text: string): object {
  return { kind: "instant", instant: Date.parse(text) / 1000 };
}

const plain = (from: string, to: string): object => ({
  from: Date.parse(from) / 1000,
  to: Date.parse(to) / 1000,
  reason: undefined,
});
const dated = (from: object, to: object, timezone?: string): object => ({
  range: { kind: "dated", from, to },
  timezone,
  reason: undefined,
});
const yearly = (from: readonly [number, number], to: readonly [number, number], timezone?: string): object => ({
  range: { kind: "yearly", from: { month: from[0], date: from[1] }, to: { month: to[0], date: to[1] } },
  timezone,
  reason: undefined,
});

describe("a range is read", () => {
  test.each<[string, object, object]>([
    [
      "dates begin in UTC, as they always did",
      { from: "2026-12-24", to: "2026-12-27" },
      plain("2026-12-24T00:00Z", "2026-12-27T00:00Z"),
    ],
    [
      "in the zone that is named beside them",
      { from: "2026-12-24", to: "2026-12-27", timezone: "Asia/Tokyo" },
      dated(shown("2026-12-24T00:00"), shown("2026-12-27T00:00"), "Asia/Tokyo"),
    ],
    [
      "times of the host's clocks",
      { from: "2026-12-24 18:00", to: "2026-12-27T06:00:30" },
      dated(shown("2026-12-24T18:00"), shown("2026-12-27T06:00:30")),
    ],
    [
      "of a zone's clocks, and an instant",
      { from: "2026-12-24 18:00", to: "2026-12-27T06:00:00Z", timezone: "Asia/Tokyo" },
      dated(shown("2026-12-24T18:00"), instant("2026-12-27T06:00Z"), "Asia/Tokyo"),
    ],
    [
      "a date, and a time of the clocks",
      { from: "2026-12-24", to: "2026-12-27 06:00" },
      dated(instant("2026-12-24T00:00Z"), shown("2026-12-27T06:00")),
    ],
    ["days of every year", { from: "12-20", to: "01-02" }, yearly([12, 20], [1, 2])],
    ["with a zone", { from: "02-28", to: "02-29", timezone: "Asia/Tokyo" }, yearly([2, 28], [2, 29], "Asia/Tokyo")],
    [
      "with a reason",
      { from: "07-01", to: "07-02", reason: "fiscal year" },
      { ...yearly([7, 1], [7, 2]), reason: "fiscal year" },
    ],
  ])("%s", (_title, raw, value) => expect(check(blackouts, [raw])).toEqual({ kind: "value", value: [value] }));
});

const end =
  'a date or a time, for example 2026-12-24, 2026-12-24T18:00:00Z or "2026-12-24 18:00"; or a day of every year as MM-DD, for example 12-20';
const relative = 'a time with its date, for example "2026-12-24 18:00"; svc-upgrade hold --until takes the others';
const another = (text: string): string => `"${text}", which means another time whenever the file is read`;

const alike = (from: string): string => `as from, "${from}": MM-DD in both, or a whole date in both`;
const anywhere = (from: string): string =>
  `a time after from, "${from}", wherever the clocks are: write both alike where less than a day lies between`;

describe("a range is refused", () => {
  test.each<[string, Record<string, string>, at: string, allowed: string, found?: string]>([
    ["a word that means another time each day", { from: "tomorrow", to: "2026-12-27" }, "from", relative, another("tomorrow")],
    ["a duration", { from: "2026-12-24", to: "2h" }, "to", relative, another("2h")],
    ["a time of no day", { from: "2026-12-24", to: "03:30" }, "to", relative, another("03:30")],
    ["a time of a day of the week", { from: "sat 02:00", to: "2026-12-27" }, "from", relative, another("sat 02:00")],
    ["a date that there is not", { from: "2026-02-29", to: "2026-03-02" }, "from", end],
    ["a month that there is not", { from: "12-20", to: "13-02" }, "to", end],
    ["every year to one date", { from: "12-20", to: "2027-01-02" }, "to", alike("12-20")],
    ["one date to every year", { from: "2026-12-20", to: "01-02" }, "to", alike("2026-12-20")],
    [
      "to the same day of the year",
      { from: "12-20", to: "12-20" },
      "to",
      'another day than from, "12-20": that day itself is free again',
    ],
    ["backwards", { from: "2026-12-27 08:00", to: "2026-12-27 07:59" }, "to", 'a time after from, "2026-12-27 08:00"'],
    [
      "to the moment that it begins",
      { from: "2026-12-27", to: "2026-12-27T00:00:00Z" },
      "to",
      'an instant after from, "2026-12-27"',
    ],
    [
      "written in two ways, and perhaps backwards in some zone",
      { from: "2026-12-27 08:00", to: "2026-12-27T20:00:00Z" },
      "to",
      anywhere("2026-12-27 08:00"),
    ],
    ["in the other two ways", { from: "2026-12-27T00:00:00Z", to: "2026-12-27 14:00" }, "to", anywhere("2026-12-27T00:00:00Z")],
    [
      "with a zone that nothing is asked of",
      { from: "2026-12-24T00:00:00Z", to: "2026-12-27T00:00:00Z", timezone: "UTC" },
      "timezone",
      "none, because from and to say themselves how far they are from UTC",
    ],
  ])("%s", (_title, raw, at, allowed, found = `"${raw[at]}"`) => {
    expect(check(blackouts, [raw])).toEqual({ kind: "refused", refusals: [{ at: `[0].${at}`, found, allowed }] });
  });

  test("only where it may be backwards in some zone", () => {
    expect(check(blackouts, [{ from: "2026-12-27 08:00", to: "2026-12-27T20:00:01Z" }]).kind).toBe("value");
    expect(check(blackouts, [{ from: "2026-12-27T00:00:00Z", to: "2026-12-27 14:00:01" }]).kind).toBe("value");
  });
});
