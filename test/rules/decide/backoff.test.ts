import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isInForce, nextBackoff } from "../../../src/rules/decide/backoff.ts";
import type { Backoff } from "../../../src/rules/decide/gate-facts.ts";
import { version } from "../version/given.ts";
import { backoffOf, faultOf, now, servedVersion } from "../../updater/plan/given.ts";

const failed = { served: servedVersion, cause: faultOf("no-space") };

describe("a backoff", () => {
  test("begins with ten minutes and names its cause", () => {
    expect(nextBackoff(undefined, failed, now)).toEqual({ ...failed, failures: 1, until: now + 600 });
  });

  test("doubles to six hours, and stays there", () => {
    const waits: number[] = [];
    let backoff: Backoff | undefined;
    for (let failure = 0; failure < 9; failure += 1) {
      backoff = nextBackoff(backoff, failed, now);
      waits.push(backoff.until - now);
    }
    expect(waits).toEqual([600, 1200, 2400, 4800, 9600, 19_200, 21_600, 21_600, 21_600]);
  });

  test("begins again for another served version", () => {
    const previous = backoffOf({ served: version("15.4.5"), failures: 5 });
    expect(nextBackoff(previous, failed, now)).toMatchObject({ served: servedVersion, failures: 1, until: now + 600 });
  });

  test("tells the last cause, not the first", () => {
    expect(nextBackoff(backoffOf({ cause: faultOf("manager-busy") }), failed, now).cause).toEqual(failed.cause);
  });

  test("is always in force when it begins, and over when it ends, after however many failures", () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000 }), (failures) => {
        const backoff = nextBackoff(backoffOf({ failures }), failed, now);
        expect(isInForce(backoff, now)).toBe(true);
        expect(isInForce(backoff, backoff.until - 1)).toBe(true);
        expect(isInForce(backoff, backoff.until)).toBe(false);
      }),
    );
  });

  test("from a clock that ran ahead blocks for six hours at most, and not at all before them", () => {
    expect(isInForce(backoffOf({ until: now + 21_600 }), now)).toBe(true);
    expect(isInForce(backoffOf({ until: now + 21_601 }), now)).toBe(false);
    expect(isInForce(backoffOf({ until: now + 10 * 365 * 86_400 }), now)).toBe(false);
  });
});
