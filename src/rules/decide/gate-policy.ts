import type { Version } from "../version/version.ts";
import type { OpenTimes } from "../window/own.ts";
import type { UnixSeconds } from "../window/window.ts";

/** A time in which nothing moves, whatever the windows say. */
export type Blackout = { readonly from: UnixSeconds; readonly to: UnixSeconds; readonly reason: string | undefined };

export type Hold = { readonly until: UnixSeconds | undefined; readonly reason: string | undefined };

/** The version to stay on or move to, whatever is served. */
export type Pin = { readonly version: Version; readonly reason: string | undefined };

/** What the administrator has decided. All programs share it. */
export type GatePolicy = {
  /** Why the host is looked at: "now" ignores the time, "back" is a rollback. */
  readonly asked: { readonly when: "timer" | "now" | "back" };
  readonly hold: Hold | undefined;
  readonly pin: Pin | undefined;
  readonly window: OpenTimes | undefined;
  readonly blackouts: readonly Blackout[];
  /** What may happen without a valid schedule. */
  readonly unscheduled: "wait" | "rescue" | "anytime";
  readonly downgrade: "refuse" | "allow";
  readonly major: "any" | "one-step";
  readonly moveTakes: MoveTakes;
};

/** The bounds of a move's expected time. A move begins only if the window lasts twice as long as the longest of the last moves. */
export type MoveTakes = { readonly atLeastSeconds: number; readonly atMostSeconds: number };

/** Whether the hold is in force. It ends exactly at its time. */
export function isHeld(hold: Hold | undefined, now: UnixSeconds): boolean {
  return hold !== undefined && (hold.until === undefined || now < hold.until);
}
