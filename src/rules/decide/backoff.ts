import type { Version } from "../version/version.ts";
import type { UnixSeconds } from "../window/window.ts";
import type { Backoff, Wait } from "./gate-facts.ts";
import { hourSeconds } from "../window/seconds.ts";

const firstSeconds = 600;
const longestSeconds = 6 * hourSeconds;
/** Enough doublings to reach the longest wait, and few enough to compute. */
const mostDoublings = 6;

/** The next wait: ten minutes, doubled up to six hours, as long as the same version is served. */
export function nextBackoff<Cause>(
  previous: Pick<Backoff, "served" | "failures"> | undefined,
  failed: { readonly served: Version; readonly cause: Cause },
  now: UnixSeconds,
): Wait<Cause> {
  const failures = previous?.served === failed.served ? previous.failures + 1 : 1;
  const seconds = Math.min(longestSeconds, firstSeconds * 2 ** Math.min(failures - 1, mostDoublings));
  return { served: failed.served, cause: failed.cause, failures, until: now + seconds };
}

/** Whether the wait has not ended. A remainder longer than any wait was written by a clock that ran ahead, and does not count. */
export function isInForce(backoff: Pick<Backoff, "until">, now: UnixSeconds): boolean {
  return now < backoff.until && backoff.until - now <= longestSeconds;
}
