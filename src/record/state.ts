import type { RecordedClock } from "../plan/clock.ts";
import type { Decision } from "../plan/decision.ts";
import type { Backoff, OperatorNeed, Previous, Rejection } from "../plan/facts.ts";
import type { FaultData } from "../fault/fault.ts";
import type { PackageVersion } from "../version/wrapped.ts";
import type { Version } from "../version/version.ts";
import type { UnixSeconds } from "../window/window.ts";

/** The number of this shape; keys may be added under it, and never change their meaning. */
export const stateSchema = 1;

export const mostPasses = 10;
export const mostMoveSeconds = 5;
/** A served version may come in several packages; more than this many that failed here are noise. */
export const mostRejected = 10;
/** A pass goes through its steps once. */
export const mostSteps = 20;
/** A name, an id, a version as it was found. */
export const longestWord = 256;
/** A reason in words. */
export const longestSentence = 500;
/** Ten passes of longest words fit; what is larger was not written by us. */
export const longestStateBytes: number = 256 * 1024;

/** The steps of a move, in their order. Each is written down before it starts. */
export type StepName = "refresh" | "offer" | "simulate" | "install" | "verify" | "activate";

export type StepTime = { readonly step: StepName; readonly ms: number };

/** The step in hand: what a pass had begun when it wrote this. Absent between passes. */
export type StepInHand = {
  readonly pass: string;
  readonly step: StepName;
  readonly startedAt: UnixSeconds;
  readonly served: Version;
  readonly from: PackageVersion | undefined;
  /** Undefined until the offer is known. */
  readonly to: PackageVersion | undefined;
  /** The steps of this pass before it, in their order. */
  readonly done: readonly StepTime[];
};

export type Outcome =
  | { readonly kind: "stayed" }
  | { readonly kind: "moved"; readonly from: string | undefined; readonly to: string; readonly seconds: number }
  | { readonly kind: "stopped"; readonly fault: FaultData }
  | { readonly kind: "failed"; readonly step: StepName; readonly fault: FaultData };

/** It ended without a fault: whoever started it has an exit status of 0. */
export function isSuccess({ kind }: Outcome): boolean {
  return kind === "stayed" || kind === "moved";
}

export type PassRecord = {
  readonly id: string;
  readonly startedAt: UnixSeconds;
  readonly seconds: number;
  readonly installed: string | undefined;
  readonly served: string | undefined;
  /** Undefined where the pass broke off before the settings were read. */
  readonly channel: string | undefined;
  readonly decision: Decision;
  readonly outcome: Outcome;
  /** How long each step of a move took, in their order; empty where nothing was moved. */
  readonly steps: readonly StepTime[];
};

export type Contact = { readonly at: UnixSeconds; readonly served: Version | "none"; readonly isCritical: boolean };

/** How the agent's unit looked at the end of the last pass; restarts are counted by systemd, anew after each boot. */
export type AgentRecord = { readonly bootId: string; readonly restarts: number; readonly unhealthyPasses: number };

/** How often a repair towards a version was tried without mending. */
export type RepairRecord = { readonly to: Version; readonly attempts: number };

/** All that passes leave for one another. Without secrets: the file is readable by everyone. */
export type State = {
  readonly needsOperator: OperatorNeed | undefined;
  readonly rejected: readonly Rejection[];
  readonly backoff: Backoff | undefined;
  readonly rescuedFor: Version | undefined;
  readonly repair: RepairRecord | undefined;
  readonly agent: AgentRecord | undefined;
  readonly lastContact: Contact | undefined;
  /** When a pass first failed to reach the server since the last contact. */
  readonly silentSince: UnixSeconds | undefined;
  /** What the last move came from: where `rollback` goes. */
  readonly previous: Previous | undefined;
  /** The end of the hold that the last pass found in force: it is said once when that has come. */
  readonly heldUntil: UnixSeconds | undefined;
  readonly clock: RecordedClock | undefined;
  readonly doubtedClock: RecordedClock | undefined;
  /** When the last pass that ended without a fault began: it may be older than all the passes below. */
  readonly lastSuccessAt: UnixSeconds | undefined;
  /** Durations of the last moves, newest first, at most five. */
  readonly moveSeconds: readonly number[];
  /** The last passes, newest first, at most ten. */
  readonly passes: readonly PassRecord[];
  readonly step: StepInHand | undefined;
};

export const emptyState: State = {
  needsOperator: undefined,
  rejected: [],
  backoff: undefined,
  rescuedFor: undefined,
  repair: undefined,
  agent: undefined,
  lastContact: undefined,
  silentSince: undefined,
  previous: undefined,
  heldUntil: undefined,
  clock: undefined,
  doubtedClock: undefined,
  lastSuccessAt: undefined,
  moveSeconds: [],
  passes: [],
  step: undefined,
};
