import type { UnixSeconds } from "../window/window.ts";
import type { GatePolicy } from "./gate-policy.ts";

/** A new revision should be found within the maintenance window in which it is published; a mirror bears this much more. */
const everySeconds = 3600;

/** Whether the repositories are searched again for another package of a version that failed here. A time to come was dated by a wrong clock. */
export function isSearchDue(searchedAt: UnixSeconds | undefined, now: UnixSeconds, { when }: GatePolicy["asked"]): boolean {
  return when === "now" || searchedAt === undefined || searchedAt > now || now - searchedAt >= everySeconds;
}
