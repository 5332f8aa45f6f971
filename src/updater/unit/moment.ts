import type { UnixSeconds } from "../../rules/window/window.ts";

/** One moment on both clocks: units are dated by one, files by the other. */
export type Moment = { readonly monotonicUs: number; readonly realtimeMs: number };

export function thisMoment(): Moment {
  return { monotonicUs: Number(process.hrtime.bigint() / 1000n), realtimeMs: Date.now() };
}

/**
 * A moment that was written down, as the clocks of this boot have it. What lies before the boot is its beginning. Where the
 * wall clock was set in between it may be too early by as much, and is never later than now.
 */
export function momentOf(at: UnixSeconds, now: Moment): Moment {
  const realtimeMs = Math.min(at * 1000, now.realtimeMs);
  return { realtimeMs, monotonicUs: Math.max(0, now.monotonicUs - (now.realtimeMs - realtimeMs) * 1000) };
}
