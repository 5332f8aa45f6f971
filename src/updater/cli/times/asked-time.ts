import { readClock } from "../../../machine/clocks/read-clock.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";
import { readTime } from "./read-time.ts";
import { hostZone } from "./tell-local.ts";

/** Reads a time from the command line by this host's clock and zone. */
export function askedTime(text: string): UnixSeconds {
  return readTime(text, { now: readClock().now, zone: hostZone() });
}
