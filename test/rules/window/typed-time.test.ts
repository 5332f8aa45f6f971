import { describe, expect, test } from "vitest";
import { parseSpoken, type Spoken } from "../../../src/rules/window/typed-time.ts";
import { at } from "./clocks.ts";

const half = 3 * 3600 + 30 * 60;
const dated = at("2026-12-24T00:00Z") / 86_400;

describe("a time as a person says it is read", () => {
  test.each<[string, Spoken]>([
    ["@1795000000", { kind: "instant", instant: 1_795_000_000 }],
    ["1w 2d 3h 4m 5s", { kind: "after", seconds: 604_800 + 2 * 86_400 + 3 * 3600 + 4 * 60 + 5 }],
    ["+90m", { kind: "after", seconds: 5400 }],
    ["2026-12-24 03:30:00 +0100", { kind: "instant", instant: at("2026-12-24T02:30Z") }],
    ["2026-12-24", { kind: "dated", day: dated, time: undefined, clocks: "local" }],
    ["Thu 2026-12-24 03:30 UTC", { kind: "dated", day: dated, time: half, clocks: "UTC" }],
    ["03:30", { kind: "next", day: "any", time: half, clocks: "local" }],
    [" Tomorrow  03:30 ", { kind: "next", day: "tomorrow", time: half, clocks: "local" }],
    ["today", { kind: "next", day: "today", time: undefined, clocks: "local" }],
    ["sun 03:30z", { kind: "next", day: 0, time: half, clocks: "UTC" }],
  ])("%j", (text, spoken) => {
    expect(parseSpoken(text)).toEqual(spoken);
  });
});

test.each([
  ["nothing is said", ""],
  ["a word is no day", "someday 03:30"],
  ["the day of the week is not the date's own", "fri 2026-12-24"],
  ["a word before a date is no day of the week", "tomorrow 2026-12-24"],
  ["the month has no such date", "2026-11-31"],
  ["the month has no such date, with an offset", "2026-11-31T03:30+01:00"],
  ["the hour is none", "24:00"],
  ["the minute is none", "today 03:60"],
  ["the second is none", "03:30:60"],
])("what is no time is not guessed at: %s", (_title, text) => {
  expect(parseSpoken(text)).toBeUndefined();
});
