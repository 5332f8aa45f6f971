import type { UnixSeconds } from "../window/window.ts";
import type { Lift } from "./common-lift.ts";

export type NoScheduleReason = "schedule-missing" | "schedule-empty" | "schedule-invalid" | "schedule-stale";

/** Why it stays, wherever the agent runs. Each program may have reasons of its own. */
export type CommonStayReason =
  | "no-version"
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

/** What a gate says that lets nothing pass. */
export type Refusal<Reason extends string = CommonStayReason> = {
  readonly kind: "stay";
  readonly why: Reason;
  /** The reason in words, for people. */
  readonly told: string;
  /** When it ends by itself. */
  readonly until?: UnixSeconds;
  /** What lifts it before, or at all; each program words it. */
  readonly lift: Lift;
};

/** What a gate says that opens the way past all that come after it. */
export type LetThrough = {
  readonly kind: "move";
  readonly why: CommonMoveReason;
  readonly told: string;
  /** Until when it may begin, where that is not for ever. */
  readonly until?: UnixSeconds;
};
