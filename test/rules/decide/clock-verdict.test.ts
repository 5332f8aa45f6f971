import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeClock, type ClockReading, type RecordedClock } from "../../../src/rules/decide/clock-verdict.ts";
import { now } from "../../updater/plan/given.ts";

const builtAt = now - 30 * 86_400;
const bootId = "boot-1";

function reading(changes: Partial<ClockReading> = {}): ClockReading {
  return { now, sinceBootSeconds: 5000, bootId, isSynchronised: false, ...changes };
}

function recorded(changes: Partial<RecordedClock> = {}): RecordedClock {
  return { now, sinceBootSeconds: 4400, bootId, ...changes };
}

const nothing = { lastRecord: undefined, lastDoubted: undefined };
const tooEarly = { kind: "wrong", why: "it is before the day this program was built" };
const wentBack = { kind: "wrong", why: "it is more than an hour before the last pass" };
const vouched = { kind: "redated", why: "it went back, and time synchronisation vouches for it" };
const agreed = { kind: "redated", why: "it went back, and two passes of this boot agree on it" };
const plausible = { kind: "plausible" };

/** A day before the last record, and what the pass before saw, if it doubted that too. */
function before(doubted?: Partial<RecordedClock>): Parameters<typeof judgeClock>[2] {
  return { lastRecord: recorded({ now: now + 86_400 }), lastDoubted: doubted && recorded(doubted) };
}

describe("a clock is judged", () => {
  test.each([
    ["in the first pass", reading(), nothing, plausible],
    ["at the build date", reading({ now: builtAt }), nothing, plausible],
    ["before the build date", reading({ now: builtAt - 1 }), nothing, tooEarly],
    ["before the build date, though synchronised", reading({ now: 0, isSynchronised: true }), nothing, tooEarly],
    ["after the last record", reading(), { ...nothing, lastRecord: recorded({ now: now - 600 }) }, plausible],
    ["an hour before the last record", reading(), { ...nothing, lastRecord: recorded({ now: now + 3600 }) }, plausible],
    ["more than an hour before the last record", reading(), { ...nothing, lastRecord: recorded({ now: now + 3601 }) }, wentBack],
    ["before the last record, but synchronised", reading({ isSynchronised: true }), before(), vouched],
    ["before the last record, as the pass before saw it", reading(), before({ now: now - 600 }), agreed],
    ["so, and the pass before agrees within a minute", reading(), before({ now: now - 660 }), agreed],
    ["so, and further off than a minute from the pass before", reading(), before({ now: now - 661 }), wentBack],
    ["so, and before the pass before too", reading(), before({ now: now + 7200 }), wentBack],
    ["so, as a pass of another boot saw it", reading(), before({ now: now - 600, bootId: "boot-0" }), wentBack],
    ["so, twice within two seconds", reading(), before({ now: now - 1, sinceBootSeconds: 4999 }), agreed],
    ["so, twice in one moment", reading(), before({ sinceBootSeconds: 5000 }), wentBack],
  ])("%s", (...[, read, past, verdict]) => {
    expect(judgeClock(read, builtAt, past)).toEqual(verdict);
  });
});

describe("a record from the future", () => {
  const ahead = fc.integer({ min: 3601, max: 4_000_000_000 });

  test("blocks one pass of a boot whose clock runs evenly, and no second one", () => {
    fc.assert(
      fc.property(ahead, fc.integer({ min: 1, max: 90_000 }), fc.integer({ min: -60, max: 60 }), (seconds, apart, drift) => {
        const lastRecord = recorded({ now: now + seconds, bootId: "boot-0" });
        const first = reading();
        expect(judgeClock(first, builtAt, { lastRecord, lastDoubted: undefined })).toEqual(wentBack);
        const second = reading({ now: now + apart + drift, sinceBootSeconds: first.sinceBootSeconds + apart });
        expect(judgeClock(second, builtAt, { lastRecord, lastDoubted: first }).kind).not.toBe("wrong");
      }),
    );
  });

  test("never blocks a synchronised clock", () => {
    fc.assert(
      fc.property(ahead, (seconds) => {
        const past = { lastRecord: recorded({ now: now + seconds }), lastDoubted: undefined };
        expect(judgeClock(reading({ isSynchronised: true }), builtAt, past)).toEqual(vouched);
      }),
    );
  });
});
