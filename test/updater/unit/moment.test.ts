import { describe, expect, test } from "vitest";
import { momentOf, thisMoment, type Moment } from "../../../src/updater/unit/moment.ts";

/** Ten minutes after the boot. */
const now: Moment = { monotonicUs: 600_000_000, realtimeMs: 1_700_000_600_500 };

describe("a moment that was written down", () => {
  test.each<{ title: string; at: number; is: Moment }>([
    { title: "is dated on both clocks", at: 1_700_000_500, is: { monotonicUs: 499_500_000, realtimeMs: 1_700_000_500_000 } },
    { title: "before the boot is the boot", at: 1_699_990_000, is: { monotonicUs: 0, realtimeMs: 1_699_990_000_000 } },
  ])("$title", ({ at, is }) => {
    expect(momentOf(at, now)).toEqual(is);
  });

  test("that is right now is never later than now", () => {
    const moment = thisMoment();
    const written = momentOf(Math.floor(moment.realtimeMs / 1000), moment);
    expect(written.monotonicUs).toBeLessThanOrEqual(moment.monotonicUs);
    expect(moment.monotonicUs - written.monotonicUs).toBeLessThan(1_000_000);
  });
});
