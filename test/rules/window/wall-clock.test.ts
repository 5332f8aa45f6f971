import { describe, expect, test } from "vitest";
import { momentOfChange, momentSetOn, momentsOf, shownAt } from "../../../src/rules/window/wall-clock.ts";
import { at, clocksOf } from "./clocks.ts";

const berlin = clocksOf("Europe/Berlin");
const lordHowe = clocksOf("Australia/Lord_Howe");

describe("the moments at which the clocks show a time", () => {
  test.each([
    ["are one on a usual day", berlin, "2026-11-20T02:30Z", ["2026-11-20T01:30Z"]],
    ["are none where the clocks are set on past it", berlin, "2027-03-28T02:30Z", []],
    ["are two where the clocks are set back over it", berlin, "2026-10-25T02:30Z", ["2026-10-25T00:30Z", "2026-10-25T01:30Z"]],
  ])("%s", (_title, clocks, shown, moments) => {
    const found = momentsOf(at(shown), clocks);
    expect(found).toEqual(moments.map(at));
    for (const moment of found) expect(shownAt(moment, clocks)).toBe(at(shown));
  });
});

describe("a time that the clocks skip", () => {
  test.each([
    ["by an hour", berlin, "2027-03-28T02:30Z", "2027-03-28T01:30Z", "2027-03-28T03:30Z", "2027-03-28T01:00Z"],
    ["by half an hour", lordHowe, "2026-10-04T02:15Z", "2026-10-03T15:45Z", "2026-10-04T02:45Z", "2026-10-03T15:30Z"],
  ])("%s is as much later as they are set on, and after the change", (...[, clocks, skipped, moment, shown, change]) => {
    expect(momentSetOn(at(skipped), clocks)).toBe(at(moment));
    expect(shownAt(at(moment), clocks)).toBe(at(shown));
    expect(momentOfChange(at(skipped), clocks)).toBe(at(change));
  });
});
