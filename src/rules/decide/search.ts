import type { UnixSeconds } from "../window/window.ts";
import type { GatePolicy } from "./gate-policy.ts";

/** Finds a new package within the window in which it is published, and is not too often for a mirror. */
const everySeconds = 3600;

/**
 * Whether to search the repositories for another package of a version that failed here. Ignores a search in the future, which a wrong clock dated.
 */
export function isSearchDue(searchedAt: UnixSeconds | undefined, now: UnixSeconds, { when }: GatePolicy["asked"]): boolean {
  return when === "now" || searchedAt === undefined || searchedAt > now || now - searchedAt >= everySeconds;
}
