import { readClock } from "../../../machine/clocks/read-clock.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";
import { readTime } from "./read-time.ts";
import { hostZone } from "./tell-local.ts";

/** A time from the command line, as it is meant on this host and now. */
export function askedTime(text: string): UnixSeconds {
  return readTime(text, { now: readClock().now, zone: hostZone() });
}
