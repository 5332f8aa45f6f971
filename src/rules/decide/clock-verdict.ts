import { number, record, word, type Of } from "../shape/shape.ts";
import type { UnixSeconds } from "../window/window.ts";

/** `wrong-once`: the clock went back, is believed by now, and the record is re-dated. */
export type ClockVerdict =
  | { readonly kind: "plausible" }
  | { readonly kind: "wrong"; readonly why: string }
  | { readonly kind: "redated"; readonly why: string };

/** One reading of all the clocks of a pass. */
export type ClockReading = {
  readonly now: UnixSeconds;
  /** Seconds since this boot, from a clock that nobody can set. */
  readonly sinceBootSeconds: number;
  readonly bootId: string;
  readonly isSynchronised: boolean;
};

/** The last reading that a pass recorded. */
export const recordedClock = record({ now: number, sinceBootSeconds: number, bootId: word });
export type RecordedClock = Of<typeof recordedClock>;

/** Less than this a clock may go back: a leap, a correction. */
const smallStepSeconds = 3600;
/** Two passes of one boot agree when wall clock and monotonic clock grew alike, within this. */
const agreementSeconds = 60;

/** Before the build date is wrong for ever; before the last record is wrong once, and then believed when something speaks for it. */
export function judgeClock(
  reading: ClockReading,
  builtAt: UnixSeconds,
  past: { readonly lastRecord: RecordedClock | undefined; readonly lastDoubted: RecordedClock | undefined },
): ClockVerdict {
  if (reading.now < builtAt) return { kind: "wrong", why: "it is before the day this program was built" };
  if (past.lastRecord === undefined || reading.now >= past.lastRecord.now - smallStepSeconds) return { kind: "plausible" };
  if (reading.isSynchronised) return { kind: "redated", why: "it went back, and time synchronisation vouches for it" };
  if (past.lastDoubted !== undefined && agree(reading, past.lastDoubted)) {
    return { kind: "redated", why: "it went back, and two passes of this boot agree on it" };
  }
  return { kind: "wrong", why: "it is more than an hour before the last pass" };
}

function agree(reading: ClockReading, doubted: RecordedClock): boolean {
  if (reading.bootId !== doubted.bootId) return false;
  const wall = reading.now - doubted.now;
  const monotonic = reading.sinceBootSeconds - doubted.sinceBootSeconds;
  return monotonic > 0 && Math.abs(wall - monotonic) <= agreementSeconds;
}
