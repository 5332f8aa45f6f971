import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { secondsUntilRenewal, waitAfterFailure } from "../../../src/cluster/presence/renewal-time.ts";

const half = 15 * 86_400;
const stored = { renewAfterSeconds: half, received: { now: 1_000_000_000, bootId: "one", sinceBootSeconds: 100 } };
const [soonest, latest] = [{ serial: "4000000000000000" }, { serial: "40000000ffffffff" }];
const at = (now: number, bootId: string, sinceBootSeconds: number) => ({ now, bootId, sinceBootSeconds, isSynchronised: false });

describe("when a renewal is due", () => {
  test.each([
    ["at once after it was received", at(1_000_000_000, "one", 100), half],
    ["an hour later", at(1_000_003_600, "one", 3700), half - 3600],
    ["an hour later, by a clock that has jumped a month ahead", at(1_002_592_000, "one", 3700), half - 3600],
    ["an hour later, by a clock that has jumped a year back", at(968_464_000, "one", 3700), half - 3600],
    ["when it is due", at(1_000_000_000 + half, "one", 100 + half), 0],
    ["long after it was due", at(1_100_000_000, "one", 100_000_000), 0],
    ["an hour later, after a boot", at(1_000_003_600, "two", 10), half - 3600],
    ["after a boot with a clock that went back", at(999_999_999, "two", 10), 0],
    ["long after it was due, after a boot", at(1_100_000_000, "two", 10), 0],
  ])("%s", (_what, clock, seconds) => {
    expect(secondsUntilRenewal(stored, soonest, clock)).toBe(seconds);
  });

  test("is drawn apart by the certificate, over a fifth of the time", () => {
    expect(secondsUntilRenewal(stored, latest, at(1_000_000_000, "one", 100))).toBe(Math.floor(half * 1.2) - 1);
  });
});

describe("the wait after a failure", () => {
  test.each([
    [1, 60],
    [2, 120],
    [6, 1920],
    [7, 3600],
    [1000, 3600],
  ])("of %i in a row is %i seconds, or as little as half of it", (failures, seconds) => {
    expect(waitAfterFailure({ failures, askedSeconds: undefined, drawn: 0 }, stored)).toBe(seconds);
    expect(waitAfterFailure({ failures, askedSeconds: undefined, drawn: 1 }, stored)).toBe(seconds / 2);
  });

  test("is never shorter than auth asked for, up to six hours, nor endless", () => {
    const wait = fc.record({
      failures: fc.integer({ min: 1, max: 1_000_000 }),
      askedSeconds: fc.option(fc.nat(10_000_000), { nil: undefined }),
      drawn: fc.double({ min: 0, max: 0.999, noNaN: true }),
    });
    fc.assert(
      fc.property(wait, fc.integer({ min: 1, max: 10_000_000 }), (failed, renewAfterSeconds) => {
        const seconds = waitAfterFailure(failed, { renewAfterSeconds });
        expect(Number.isInteger(seconds)).toBe(true);
        expect(seconds).toBeGreaterThanOrEqual(Math.min(failed.askedSeconds ?? 1, 6 * 3600));
        expect(seconds).toBeGreaterThanOrEqual(1);
        expect(seconds).toBeLessThanOrEqual(7 * 3600);
      }),
    );
  });
});
