import type { UnixSeconds } from "../window/window.ts";
import type { GatePolicy } from "./gate-policy.ts";

/** A new revision should be found within the window in which it is published; a mirror can take this rate. */
const everySeconds = 3600;

/** Whether to search the repositories for another package of a version that failed here. A wrong clock dated a search in the future. */
export function isSearchDue(searchedAt: UnixSeconds | undefined, now: UnixSeconds, { when }: GatePolicy["asked"]): boolean {
  return when === "now" || searchedAt === undefined || searchedAt > now || now - searchedAt >= everySeconds;
}
