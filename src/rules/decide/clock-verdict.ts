import { number, record, word, type Of } from "../shape/shape.ts";
import type { UnixSeconds } from "../window/window.ts";

/** `wrong-once`: the clock went back and is believed now, and dates in the state are written again. */
export type ClockVerdict =
  | { readonly kind: "plausible" }
  | { readonly kind: "wrong"; readonly why: string }
  | { readonly kind: "redated"; readonly why: string };

/** What all clocks showed, read once in a pass. */
export type ClockReading = {
  readonly now: UnixSeconds;
  /** Seconds since this boot. Nobody can set the clock behind it. */
  readonly sinceBootSeconds: number;
  readonly bootId: string;
  readonly isSynchronised: boolean;
};

/** The last reading that a pass recorded. */
export const recordedClock = record({ now: number, sinceBootSeconds: number, bootId: word });
export type RecordedClock = Of<typeof recordedClock>;

/** A clock may go back by less than this, for a leap second or a correction. */
const smallStepSeconds = 3600;
/** Two passes of one boot agree if the wall clock and the monotonic clock advanced by the same time, within this limit. */
const agreementSeconds = 60;

/** A time before the build date is always wrong. A time before the last record is wrong once, and is believed if a second sign confirms it. */
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
