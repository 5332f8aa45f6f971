import type { CommonMoveReason, CommonStayReason, Pass, Refusal } from "../decide/decision.ts";
import type { FaultData } from "../fault/fault.ts";
import type { PackageVersion } from "../version/wrapped.ts";
import type { Movement } from "./target.ts";

export type StayReason = CommonStayReason | "package-held" | "never";

export type MoveReason = CommonMoveReason | "rollback";

/** What lifts it is in words: a state and its readers keep them. */
export type Stay = Omit<Refusal<StayReason>, "lift"> & { readonly lift?: string };

export type Move = Omit<Pass, "why"> & {
  readonly why: MoveReason;
  readonly target: Movement;
  /** Rather this very package than another one of the same version. */
  readonly exactly?: PackageVersion | undefined;
};

export type Stop = { readonly kind: "stop"; readonly fault: FaultData };

export type Decision = Stay | Move | Stop;
