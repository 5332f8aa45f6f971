import type { UnixSeconds } from "../../rules/window/window.ts";

/** One moment on two clocks. systemd dates units by the monotonic clock, and the file system dates files by the wall clock. */
export type Moment = { readonly monotonicUs: number; readonly realtimeMs: number };

export function thisMoment(): Moment {
  return { monotonicUs: Number(process.hrtime.bigint() / 1000n), realtimeMs: Date.now() };
}

/**
 * Converts a written moment to the clocks of this boot. A moment before the boot becomes the boot. If the wall clock was set in between, the result
 * may be too early by the difference, but is never in the future.
 */
export function momentOf(at: UnixSeconds, now: Moment): Moment {
  const realtimeMs = Math.min(at * 1000, now.realtimeMs);
  return { realtimeMs, monotonicUs: Math.max(0, now.monotonicUs - (now.realtimeMs - realtimeMs) * 1000) };
}
