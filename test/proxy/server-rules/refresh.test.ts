import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextAskMs } from "../../../src/proxy/server-rules/refresh.ts";

describe("an upstream is asked again", () => {
  test.each([
    [0, 0, 48_000],
    [0, 0.5, 60_000],
    [2, 0.5, 3600],
    [5, 0, 32_000],
    [5000, 0, 60_000],
  ])("after %i failures and the chance %d in %i ms", (failures, chance, ms) => {
    expect(nextAskMs({ failures, aloneMs: undefined }, chance)).toBe(ms);
  });

  test.each([
    ["a minute", 60_000, 1, 0, 60_000],
    ["a minute, spread", 60_000, 1, 0.5, 66_000],
    ["a year, which is an hour to us", 31_536_000_000, 1, 0, 3_600_000],
  ])("not before it wants: %s", (_title, aloneMs, failures, chance, ms) => {
    expect(nextAskMs({ failures, aloneMs }, chance)).toBe(ms);
  });

  test("never at once, and never later than the spread allows", () => {
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (failures, chance) => {
        const ms = nextAskMs({ failures, aloneMs: undefined }, chance);
        expect(ms >= 1600 && ms <= 72_000).toBe(true);
      }),
    );
  });
});
