import { number, record, word, type Of } from "../shape/shape.ts";
import type { UnixSeconds } from "../window/window.ts";

/** `wrong-once`: the clock went back and is believed now, and the dates in the state are set anew. */
export type ClockVerdict =
  | { readonly kind: "plausible" }
  | { readonly kind: "wrong"; readonly why: string }
  | { readonly kind: "redated"; readonly why: string };

/** All clocks of a pass, read once. */
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

/** A clock may go back by less than this: for a leap second or a correction. */
const smallStepSeconds = 3600;
/** Two passes of one boot agree if wall clock and monotonic clock advanced alike, within this. */
const agreementSeconds = 60;

/** A time before the build date is always wrong. A time before the last record is wrong once, and believed when a sign confirms it. */
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
