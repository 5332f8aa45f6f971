import type { RecordedClock } from "../decide/clock.ts";
import type { CriticalDoubt } from "../channel/doubt.ts";
import type { Stretch } from "../channel/flapping.ts";
import { nothingHeard, type Heard } from "../channel/heard.ts";
import type { Decision, MoveReason } from "../plan/decision.ts";
import type { Backoff, OperatorNeed } from "../decide/facts.ts";
import type { AgentCondition, Previous, Rejection, Repairs } from "../plan/facts.ts";
import type { FaultData } from "../fault/fault.ts";
import type { Movement } from "../plan/target.ts";
import type { PackageVersion } from "../version/wrapped.ts";
import type { Version } from "../version/version.ts";
import type { UnixSeconds } from "../window/window.ts";

/** The number of this shape; keys may be added under it, and never change their meaning. */
export const stateSchema = 1;

export const mostPasses = 10;
export const mostMoveSeconds = 5;
/** A served version may come in several packages; more than this many that failed here are noise. */
export const mostRejected = 10;
/** A pass goes through its steps once, and back once. */
export const mostSteps = 20;
/** The version that is installed, and the one before it. */
export const mostKept = 2;
/** Enough of a unit's journal to see why a program ended; ten passes with as much fit the state file. */
export const mostEvidence = 5;
/** A name, an id, a version as it was found. */
export const longestWord = 256;
/** A reason in words. */
export const longestSentence = 500;
/** Keys of a later release, printed: a list of its own, as long as one of ours. */
export const longestCarriedByState: number = 32 * 1024;
/** Ten passes of longest words, each with two faults and its evidence, fit; what is larger was not written by us. */
export const longestStateBytes: number = 512 * 1024;

/** The steps of a move, in their order, and those of the way back. Each is written down before it starts. */
export type StepName =
  | "refresh"
  | "offer"
  | "simulate"
  | "keep"
  | "install"
  | "verify"
  | "activate"
  | "health"
  | "back-install"
  | "back-verify"
  | "back-activate"
  | "back-health";

export type StepTime = { readonly step: StepName; readonly ms: number };

/** Why a move is taken back. */
export type Cause = { readonly step: StepName; readonly fault: FaultData; readonly evidence: readonly string[] };

/**
 * The step in hand: what a pass had begun when it wrote this, and all that another pass needs to end it. Absent between
 * passes.
 */
export type StepInHand = {
  readonly pass: string;
  readonly step: StepName;
  readonly movement: Movement["kind"];
  readonly why: MoveReason;
  readonly startedAt: UnixSeconds;
  readonly served: Version;
  readonly from: PackageVersion | undefined;
  /** Undefined until the offer is known. */
  readonly to: PackageVersion | undefined;
  /** How the agent was just before the package was changed; undefined until then. */
  readonly agentBefore: AgentCondition | undefined;
  /** When the package manager was first told to change the package; undefined until then. */
  readonly changingSince: UnixSeconds | undefined;
  /** "lifted": an admin's hold on the package was overridden for the change, and is put back after it. */
  readonly hold: "none" | "lifted";
  /** Why the way back was taken; undefined on the way forth. */
  readonly cause: Cause | undefined;
  /** How many passes have tried to end what this one began. */
  readonly recoveries: number;
  /** The steps of this pass before it, in their order. */
  readonly done: readonly StepTime[];
};

/** A package's file in the directory of kept packages, as it was when it was put there. */
export type KeptPackage = {
  readonly packageVersion: PackageVersion;
  /** Its name in that directory. */
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
};

/** Why a move that failed after it had changed the package was not taken back. */
export type NoWayBack =
  | { readonly kind: "not-tried"; readonly why: string }
  | { readonly kind: "failed"; readonly step: StepName; readonly fault: FaultData };

export type Outcome =
  | { readonly kind: "stayed" }
  | { readonly kind: "moved"; readonly from: string | undefined; readonly to: string; readonly seconds: number }
  | { readonly kind: "stopped"; readonly fault: FaultData }
  /** `back` is undefined where nothing had been changed yet. The unit's last lines tell why the agent did not do well. */
  | ({ readonly kind: "failed"; readonly back: NoWayBack | undefined } & Cause)
  /** It failed after the package was changed, and the version before runs again. */
  | ({ readonly kind: "undone"; readonly left: string; readonly to: string; readonly seconds: number } & Cause);

/** What this pass did about a move that an earlier one had begun and not ended. */
export type Recovered = {
  /** The step that was cut off. */
  readonly step: StepName;
  readonly served: Version;
  /** "unchanged": the old version was and is there, whole. */
  readonly ended: "unchanged" | "finished" | "undone" | "not-mended";
};

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
  /** Undefined: there was nothing to recover. */
  readonly recovered: Recovered | undefined;
  /** Why the server gave no answer, where the decision did not need one. */
  readonly unanswered?: FaultData | undefined;
};

export type Contact = {
  readonly at: UnixSeconds;
  readonly served: Version | "none";
  /** It counts as critical. */
  readonly isCritical: boolean;
  /** It was called critical, and did not count. */
  readonly doubt?: CriticalDoubt | undefined;
};

/** How the agent's unit looked at the end of the last pass; restarts are counted by systemd, anew after each boot. */
export type AgentRecord = { readonly bootId: string; readonly restarts: number; readonly unhealthyPasses: number };

/** How many passes towards a version were cut off and left the host as it was. */
export type CutOffs = { readonly to: Version; readonly attempts: number };

/** All that passes leave for one another. Without secrets: the file is readable by everyone. */
export type State = {
  readonly needsOperator: OperatorNeed | undefined;
  /** What a pass did about a move that was cut off, until it stands in the record of one: that pass may be cut off as well. */
  readonly recovered: Recovered | undefined;
  readonly rejected: readonly Rejection[];
  readonly backoff: Backoff | undefined;
  readonly rescuedFor: Version | undefined;
  readonly repair: Repairs | undefined;
  readonly cutOffs: CutOffs | undefined;
  readonly agent: AgentRecord | undefined;
  readonly lastContact: Contact | undefined;
  /** Under which configurations of channels passes were answered, newest first, at most three stretches. */
  readonly channels: readonly Stretch[];
  /** Which versions passes heard the channel serve, and how its answers agreed. */
  readonly heard: Heard;
  /** When a pass first failed to reach the server since the last contact. */
  readonly silentSince: UnixSeconds | undefined;
  /** When the repositories were last searched for another package of a version that failed here. */
  readonly searchedAt: UnixSeconds | undefined;
  /** What the last move came from: where `rollback` goes. */
  readonly previous: Previous | undefined;
  /** The package files that are at hand without a repository, newest first. */
  readonly kept: readonly KeptPackage[];
  /** The end of the hold that the last pass found in force: it is said once when that has come. */
  readonly heldUntil: UnixSeconds | undefined;
  readonly clock: RecordedClock | undefined;
  readonly doubtedClock: RecordedClock | undefined;
  /** The digest of another release's state that this one went on from. */
  readonly takenOver: string | undefined;
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
  recovered: undefined,
  rejected: [],
  backoff: undefined,
  rescuedFor: undefined,
  repair: undefined,
  cutOffs: undefined,
  agent: undefined,
  lastContact: undefined,
  channels: [],
  heard: nothingHeard,
  silentSince: undefined,
  searchedAt: undefined,
  previous: undefined,
  kept: [],
  heldUntil: undefined,
  clock: undefined,
  doubtedClock: undefined,
  takenOver: undefined,
  lastSuccessAt: undefined,
  moveSeconds: [],
  passes: [],
  step: undefined,
};
