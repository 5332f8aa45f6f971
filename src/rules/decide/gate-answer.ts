import type { UnixSeconds } from "../window/window.ts";
import type { Lift } from "./common-lift.ts";

export type NoScheduleReason = "schedule-missing" | "schedule-empty" | "schedule-invalid" | "schedule-stale";

/** Reasons to stay that all programs share. A program may add its own. */
export type CommonStayReason =
  | "no-version"
  | "unconfirmed"
  | "current"
  | "pinned"
  | "needs-operator"
  | "held"
  | "rejected"
  | "backing-off"
  | "downgrade-refused"
  | "major-refused"
  | "alternating"
  | "clock"
  | "blackout"
  | "window-too-short"
  | "outside-window"
  | NoScheduleReason;

export type CommonMoveReason = "asked" | "critical" | "window" | "rescue" | "anytime";

/** A gate's refusal. */
export type Refusal<Reason extends string = CommonStayReason> = {
  readonly kind: "stay";
  readonly why: Reason;
  /** The reason in words. */
  readonly told: string;
  /** When the refusal ends by itself. */
  readonly until?: UnixSeconds;
  /** What ends the stay, or ends it earlier. Each program has its own words for it. */
  readonly lift: Lift;
};

/** A gate's answer that skips all later gates. */
export type LetThrough = {
  readonly kind: "move";
  readonly why: CommonMoveReason;
  readonly told: string;
  /** The latest time at which the move may begin, if there is a limit. */
  readonly until?: UnixSeconds;
};
