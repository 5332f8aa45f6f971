import type { UnixSeconds } from "../../../src/window/window.ts";
import { elapseAfter } from "./calendar.ts";
import type { Timer } from "./unit-file.ts";

/** From 0 to below 1. */
export type Uniform = () => number;

/** What chance has given to one host, for as long as it runs or for ever. */
export type HostChance = {
  /** Where within AccuracySec= all timers of this host fire: the same for every turn of one boot. */
  readonly position: number;
  /** Its share of the random delay where FixedRandomDelay= is set. */
  readonly fixedShare: number;
};

export type HostTimer = HostChance & {
  /** When it fired last: kept over reboots where the timer is persistent. */
  readonly last: UnixSeconds;
  readonly bootedAt: UnixSeconds;
};

/** When it fires next, as systemd.timer(5) says it: the calendar, not before the boot, then the delay, then the accuracy. */
export function firingAfter(timer: Timer, host: HostTimer, uniform: Uniform): UnixSeconds {
  const since = timer.isPersistent ? host.last : Math.max(host.last, host.bootedAt);
  // What was due while the host was off is due at its boot, and is delayed like everything else.
  const elapse = Math.max(elapseAfter(timer.calendar, since), host.bootedAt);
  const share = timer.hasFixedDelay ? host.fixedShare : uniform();
  return inPosition(elapse + share * timer.randomDelaySeconds, host.position * timer.accuracySeconds, timer.accuracySeconds);
}

/** The first instant from the given one on that lies at the host's own place. */
function inPosition(instant: UnixSeconds, place: number, accuracySeconds: number): UnixSeconds {
  if (accuracySeconds === 0) return instant;
  const ahead = place - instant;
  return instant + ahead - Math.floor(ahead / accuracySeconds) * accuracySeconds;
}
