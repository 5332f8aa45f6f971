import type { FaultData } from "../fault/fault.ts";
import type { PackageVersion } from "../version/wrapped.ts";
import type { UnixSeconds } from "../window/window.ts";
import type { Movement } from "./target.ts";

export type StayReason =
  | "no-version"
  | "current"
  | "needs-operator"
  | "held"
  | "package-held"
  | "rejected"
  | "backing-off"
  | "downgrade-refused"
  | "major-refused"
  | "alternating"
  | "never"
  | "clock"
  | "blackout"
  | "window-too-short"
  | "outside-window"
  | "schedule-missing"
  | "schedule-empty"
  | "schedule-invalid"
  | "schedule-stale";

export type MoveReason = "asked" | "rollback" | "critical" | "window" | "rescue" | "anytime";

export type Stay = {
  readonly kind: "stay";
  readonly why: StayReason;
  /** The reason in words, for people. */
  readonly told: string;
  /** When it ends by itself. */
  readonly until?: UnixSeconds;
  /** What lifts it, where time alone does not. */
  readonly lift?: string;
};

export type Move = {
  readonly kind: "move";
  readonly why: MoveReason;
  readonly told: string;
  readonly target: Movement;
  /** Until when it may begin, where that is not for ever. */
  readonly until?: UnixSeconds;
  /** Rather this very package than another one of the same version. */
  readonly exactly?: PackageVersion | undefined;
};

export type Stop = { readonly kind: "stop"; readonly fault: FaultData };

export type Decision = Stay | Move | Stop;
