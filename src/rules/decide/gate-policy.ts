import type { Version } from "../version/version.ts";
import type { OpenTimes } from "../window/own.ts";
import type { UnixSeconds } from "../window/window.ts";

/** A range in which nothing moves, whatever the windows say. */
export type Blackout = { readonly from: UnixSeconds; readonly to: UnixSeconds; readonly reason: string | undefined };

export type Hold = { readonly until: UnixSeconds | undefined; readonly reason: string | undefined };

/** The version to stay on, or to move to, whatever is served. */
export type Pin = { readonly version: Version; readonly reason: string | undefined };

/** What administrators have decided, wherever the agent runs. */
export type GatePolicy = {
  /** What was asked of this look: "now": whatever the time is; "back": a rollback. */
  readonly asked: { readonly when: "timer" | "now" | "back" };
  readonly hold: Hold | undefined;
  readonly pin: Pin | undefined;
  readonly window: OpenTimes | undefined;
  readonly blackouts: readonly Blackout[];
  /** What may happen where there is no valid schedule. */
  readonly unscheduled: "wait" | "rescue" | "anytime";
  readonly downgrade: "refuse" | "allow";
  readonly major: "any" | "one-step";
  readonly moveTakes: MoveTakes;
};

/** What is left of a window must do for a move: twice what the longest of the last ones took, within these bounds. */
export type MoveTakes = { readonly atLeastSeconds: number; readonly atMostSeconds: number };

/** Until the very second that it names. */
export function isHeld(hold: Hold | undefined, now: UnixSeconds): boolean {
  return hold !== undefined && (hold.until === undefined || now < hold.until);
}
