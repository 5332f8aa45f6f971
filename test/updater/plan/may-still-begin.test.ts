import { describe, expect, test } from "vitest";
import type { Move, MoveReason } from "../../../src/updater/plan/host-decision.ts";
import { couldBegin, overtakenBy } from "../../../src/updater/plan/may-still-begin.ts";
import type { Schedule } from "../../../src/rules/window/schedule.ts";
import { version } from "../../rules/version/given.ts";

const now = 1_800_000_000;
const target = { kind: "upgrade", from: version("15.4.5"), to: version("15.4.6") } as const;
const move = (why: MoveReason, more: Partial<Move> = {}): Move => ({ kind: "move", why, told: "", target, ...more });
const held = { until: undefined, reason: undefined };
const open: Schedule = { kind: "windows", windows: [{ start: now - 60, stop: now + 60 }] };
const closed: Schedule = { kind: "windows", windows: [{ start: now + 60, stop: now + 120 }] };

describe("a move that was decided", () => {
  test.each([
    ["begins, where nothing has changed", move("window", { until: now + 1 }), undefined, undefined],
    ["begins up to its last second", move("window", { until: now }), undefined, undefined],
    ["does not begin later", move("window", { until: now - 1 }), undefined, /had to begin by 2027-01-15T07:59:59Z/],
    ["does not begin under a hold", move("asked"), held, /a hold was set/],
    ["begins after a hold", move("critical"), { until: now, reason: undefined }, undefined],
    ["begins under a hold where it is an administrator's rollback", move("rollback"), held, undefined],
  ])("%s", (_title, decided, hold, why) => {
    const told = overtakenBy(decided, { hold, pin: undefined, pinBefore: undefined }, now);
    if (why === undefined) expect(told).toBeUndefined();
    else expect(told).toMatch(why);
  });
});

const pinned = (to: string) => ({ version: version(to), reason: undefined });
const repair = { kind: "repair", from: version("15.4.5"), to: version("15.4.5"), why: "" } as const;

describe("a move that was decided, under a pin", () => {
  test.each([
    ["begins where it is the same", move("window"), pinned("15.4.6"), pinned("15.4.6"), undefined],
    ["does not begin where it is new", move("asked"), undefined, pinned("15.4.6"), "15.4.6 was pinned while the pass prepared"],
    [
      "does not begin where it is another",
      move("window"),
      pinned("15.4.6"),
      pinned("15.4.7"),
      "15.4.7 was pinned while the pass prepared",
    ],
    [
      "does not begin where it is gone",
      move("window"),
      pinned("15.4.6"),
      undefined,
      "the pin was taken away while the pass prepared",
    ],
    ["begins where it is an administrator's rollback", move("rollback"), undefined, pinned("15.4.7"), undefined],
    ["begins where it puts back what is installed", move("window", { target: repair }), undefined, pinned("15.4.7"), undefined],
  ])("%s", (_title, decided, pinBefore, pin, why) => {
    expect(overtakenBy(decided, { hold: undefined, pin, pinBefore }, now)).toBe(why);
  });
});

describe("a move that was cut off, under a pin", () => {
  test.each([
    ["could begin to the pinned version", "window", pinned("15.4.6+1"), true],
    ["could not begin to another", "asked", pinned("15.4.7"), false],
    ["could begin as an administrator's rollback", "rollback", pinned("15.4.7"), true],
  ] as const)("%s", (_title, why, pin, could) => {
    expect(couldBegin({ to: target.to, why, schedule: open, now }, { hold: undefined, pin, window: undefined })).toBe(could);
  });
});

describe("a move that did not finish", () => {
  test.each([
    ["could begin in its window", "window", open, undefined, true],
    ["could not begin outside of it", "window", closed, undefined, false],
    ["could not begin where no window is known any more", "window", { kind: "missing" }, undefined, false],
    ["could begin at any time where it needed no window", "critical", closed, undefined, true],
    ["could not begin under a hold", "asked", open, held, false],
    ["could begin under a hold where it is an administrator's rollback", "rollback", closed, held, true],
  ] as const)("%s", (_title, why, schedule, hold, could) => {
    expect(couldBegin({ to: target.to, why, schedule, now }, { hold, pin: undefined, window: undefined })).toBe(could);
  });
});
