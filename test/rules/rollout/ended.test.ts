import { expect, test } from "vitest";
import { endedAfter, type Before, type Ended, type SaidOutcome } from "../../../src/rules/rollout/ended.ts";
import { from, hour, start, target } from "./given.ts";

const now = start + hour;
const undone: SaidOutcome = { kind: "undone", version: target, fault: "unhealthy", at: start - 9 * hour };
const stopped: SaidOutcome = { kind: "stopped", version: target, fault: "manager-busy", at: now };
const known: Ended = { kind: "undone", version: target, fault: "unhealthy", said: undone.at, at: start };
const before: Before = { ended: known };
const nothing: Before = { ended: undefined };

test.each<[title: string, before: Before | undefined, outcome: SaidOutcome | undefined, at: number | undefined]>([
  ["what is new counts from now, though the host's clock is nine hours late", nothing, undone, now],
  ["what was heard before keeps its time", before, undone, start],
  ["another fault is another end", before, { ...undone, fault: "way-back-failed" }, now],
  ["another version is another end", before, { ...undone, version: from }, now],
  ["another time is another end", before, { ...undone, at: undefined }, now],
  ["a move is another end", before, { ...undone, kind: "moved" }, now],
  ["a pass that only stopped hides no failure", before, stopped, start],
  ["a pass that stayed hides no failure", before, { ...stopped, kind: "stayed" }, start],
  ["no outcome hides no failure", before, undefined, start],
  ["a host that has ended nothing", nothing, stopped, undefined],
  ["a first report may be old", undefined, undone, undone.at],
  ["a first report of the future counts from now", undefined, { ...undone, at: now + hour }, now],
  ["a first report without a time counts from now", undefined, { ...undone, at: undefined }, now],
  ["a first report without an end", undefined, stopped, undefined],
])("%s", (_, last, outcome, at) => {
  expect(endedAfter(last, outcome, now)?.at).toBe(at);
});

test("it keeps what the host said", () => {
  expect(endedAfter(nothing, undone, now)).toEqual({ ...known, at: now });
  expect(endedAfter(before, stopped, now)).toBe(known);
});
