import type { Version } from "../version/version.ts";
import type { OpenTimes } from "../window/own.ts";
import type { UnixSeconds } from "../window/window.ts";

/** A range in which nothing moves, whatever the windows say. */
export type Blackout = { readonly from: UnixSeconds; readonly to: UnixSeconds; readonly reason: string | undefined };

export type Hold = { readonly until: UnixSeconds | undefined; readonly reason: string | undefined };

/** The version to stay on or move to, whatever is served. */
export type Pin = { readonly version: Version; readonly reason: string | undefined };

/** The administrator's decisions, the same for all programs. */
export type GatePolicy = {
  /** The reason for this look: "now" ignores the time, "back" is a rollback. */
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

/** A move starts only if the window still lasts twice as long as the longest of the last moves, within these bounds. */
export type MoveTakes = { readonly atLeastSeconds: number; readonly atMostSeconds: number };

/** Until the very second that it names. */
export function isHeld(hold: Hold | undefined, now: UnixSeconds): boolean {
  return hold !== undefined && (hold.until === undefined || now < hold.until);
}
