import { doubt } from "../../rules/channel/doubt.ts";
import { mostStretches, stretch } from "../../rules/channel/flapping.ts";
import { allHeard, nothingHeard } from "../../rules/channel/heard.ts";
import { fault, pastFault } from "../../rules/fault/data.ts";
import { recordedClock } from "../../rules/decide/clock-verdict.ts";
import { decision } from "../plan/host-decision.ts";
import { backoff, operatorNeed } from "../../rules/decide/gate-facts.ts";
import { agentCondition, previous, rejection, repairs } from "../plan/host-facts.ts";
import { moveReasons } from "../plan/host-reasons.ts";
import { emptyOf } from "../../rules/shape/empty.ts";
import {
  count,
  kinds,
  listOf,
  maybe,
  number,
  optional,
  orElse,
  parsed,
  record,
  sentence,
  truth,
  word,
  words,
  type Of,
  type Shape,
} from "../../rules/shape/shape.ts";
import { parseVersion, version, type Version } from "../../rules/version/version.ts";
import { packageVersion } from "../../rules/version/wrapped.ts";
import { stepParts } from "./steps.ts";

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
/** Keys of a later release, printed: a list of its own, as long as one of ours. */
const longestCarriedByState: number = 32 * 1024;
/** Ten passes of longest words, each with two faults and its evidence, fit; what is larger was not written by us. */
export const longestStateBytes: number = 512 * 1024;

/** Each is written down before it starts. */
export type StepName = keyof typeof stepParts;

/** Of what is past; of a later release's the package may have been changed by it. */
export const pastStep: Shape<StepName> = words(stepParts, "install");
/** The one that is gone on from has to be understood. */
const stepInHand: Shape<StepName> = words(stepParts);

const stepTime = record({ step: pastStep, ms: number });
export type StepTime = Of<typeof stepTime>;

// The last lines tell how it ended.
const evidence = orElse(listOf(word, mostEvidence, "last"), []);

/** Why a move is taken back. */
const cause = record({ step: stepInHand, fault, evidence });
export type Cause = Of<typeof cause>;
const pastCause = { step: pastStep, fault: pastFault, evidence };

/** Why a move that failed after it had changed the package was not taken back. */
export const noRollback = kinds({ "not-tried": { why: sentence }, failed: { step: pastStep, fault: pastFault } }, [
  { kind: "not-tried", why: "a later release of svc-upgrade knows why" },
]);
export type NoRollback = Of<typeof noRollback>;

export const outcome = kinds(
  {
    stayed: {},
    moved: { from: maybe(word), to: word, seconds: number },
    stopped: { fault: pastFault },
    /** `back` is undefined where nothing had been changed yet. The unit's last lines tell why the agent did not do well. */
    failed: { ...pastCause, back: maybe(noRollback) },
    /** It failed after the package was changed, and the version before runs again. */
    undone: { left: word, to: word, seconds: number, ...pastCause },
  },
  ["stopped", { kind: "stayed" }],
);
export type Outcome = Of<typeof outcome>;

export const endings = {
  unchanged: "the old version was and is there, whole",
  finished: "the move was carried to its end",
  undone: "the move was rolled back",
  "not-mended": "neither could be done",
};

/** What this pass did about a move that an earlier one had begun and not ended. */
const recovered = record({
  /** The step that was cut off. */
  step: pastStep,
  served: version,
  ended: words(endings, "finished"),
});
export type Recovered = Of<typeof recovered>;

/** It ended without a fault: whoever started it has an exit status of 0. */
export function isSuccess({ kind }: Outcome): boolean {
  return kind === "stayed" || kind === "moved";
}

const pass = record({
  id: word,
  startedAt: number,
  seconds: number,
  installed: maybe(word),
  served: maybe(word),
  /** Undefined where the pass broke off before the settings were read. */
  channel: maybe(word),
  /** The version that was pinned. */
  pin: optional(version),
  decision,
  outcome,
  /** How long each step of a move took, in their order; empty where nothing was moved. */
  steps: orElse(listOf(stepTime, mostSteps), []),
  /** Undefined: there was nothing to recover. */
  recovered: maybe(recovered),
  /** Why the server gave no answer, where the decision did not need one. */
  unanswered: optional(pastFault),
});
export type PassRecord = Of<typeof pass>;

/** A package's file in the directory of kept packages, as it was when it was put there. */
export const keptPackage = record({
  packageVersion,
  /** Its name in that directory. */
  file: word,
  sha256: word,
  bytes: count,
});
export type KeptPackage = Of<typeof keptPackage>;

const contact = record({
  at: number,
  served: parsed<Version | "none">((found) => (found === "none" ? found : parseVersion(found)), "a semantic version or none"),
  /** It counts as critical. */
  isCritical: truth,
  /** It was called critical, and did not count. */
  doubt: optional(doubt),
});
export type Contact = Of<typeof contact>;

/** How the agent's unit looked at the end of the last pass; restarts are counted by systemd, again after each boot. */
export const agentRecord = record({ bootId: word, restarts: count, unhealthyPasses: count });
export type AgentRecord = Of<typeof agentRecord>;

/** How many passes towards a version were cut off and left the host as it was. */
const cutOffs = record({ to: version, attempts: count });

export const movements = { install: 0, upgrade: 0, downgrade: 0, repair: 0 };
export const holds = {
  none: "the package manager held nothing",
  lifted: "an admin's hold on the package was overridden for the change, and is put back after it",
};

/**
 * The step in hand: what a pass had begun when it wrote this, and all that another pass needs to end it. Absent between
 * passes.
 */
const inHand = record(
  {
    pass: word,
    step: stepInHand,
    movement: orElse(words(movements), "upgrade"),
    why: orElse(words(moveReasons), "window"),
    startedAt: number,
    served: version,
    /** An earlier release did not write it down. */
    channel: optional(word),
    from: maybe(packageVersion),
    /** Undefined until the offer is known. */
    to: maybe(packageVersion),
    /** How the agent was just before the package was changed; undefined until then. */
    agentBefore: maybe(agentCondition),
    /** When the package manager was first told to change the package; undefined until then. */
    changingSince: maybe(number),
    hold: orElse(words(holds), "none"),
    /** Why the rollback was taken; undefined on the way forth. */
    cause: maybe(cause),
    /** How many passes have tried to end what this one began. */
    recoveries: orElse(count, 0),
    /** The steps of this pass before it, in their order. */
    done: orElse(listOf(stepTime, mostSteps), []),
  },
  { changes: "by key" },
);
export type StepInHand = Of<typeof inHand>;

/** What was told whom `notify.command` tells, so that the same is not told again. */
const told = record({
  /** The passes whose outcome was, of those that are still known. */
  passes: listOf(word, mostPasses),
  /** Why somebody is needed: the words for it may change, and this does not. */
  operator: maybe(word),
  /** Since when the server is silent. */
  silent: maybe(number),
  /** The attempt that failed last and had changed nothing: where to, and of what. */
  failed: maybe(word),
});
export type ToldSoFar = Of<typeof told>;

/**
 * All that passes leave for one another. Without secrets: the file is readable by everyone. Keys may be added under its number, and
 * never change their meaning; they stand in one order, so that two states are compared by looking.
 */
export const state = record(
  {
    needsOperator: maybe(operatorNeed),
    rejected: listOf(rejection, mostRejected),
    backoff: maybe(backoff),
    rescuedFor: maybe(version),
    repair: maybe(repairs),
    cutOffs: maybe(cutOffs),
    agent: maybe(agentRecord),
    lastContact: maybe(contact),
    /** Under which configurations of channels passes were answered, newest first. */
    channels: orElse(listOf(stretch, mostStretches), []),
    /** Which versions passes heard the channel serve, and how its answers agreed. */
    heard: orElse(allHeard, nothingHeard, ({ channel }) => channel === undefined),
    /** When a pass first failed to reach the server since the last contact. */
    silentSince: maybe(number),
    /** When the repositories were last searched for another package of a version that failed here. */
    searchedAt: maybe(number),
    /** What the last move came from: where `rollback` goes. */
    previous: maybe(previous),
    /** The package files that are at hand without a repository, newest first. */
    kept: orElse(listOf(keptPackage, mostKept), []),
    /** The end of the hold that the last pass found in force: it is said once when that has come. */
    heldUntil: maybe(number),
    /** Why the last pass that told of it found no valid schedule: it warns once of each. */
    noSchedule: maybe(word),
    /** What a pass did about a move that did not finish, until it stands in the record of one: that pass may be cut off as well. */
    recovered: maybe(recovered),
    clock: maybe(recordedClock),
    doubtedClock: maybe(recordedClock),
    /** Undefined: nobody is notified. */
    told: maybe(told),
    /** When the last pass that ended without a fault began: it may be older than all the passes below. */
    lastSuccessAt: maybe(number),
    /** Durations of the last moves, newest first. */
    moveSeconds: listOf(number, mostMoveSeconds),
    /** The last passes, newest first. */
    passes: listOf(pass, mostPasses),
    step: maybe(inHand),
  },
  { schema: 1, changes: "by key", longestCarried: longestCarriedByState },
);
export type State = Of<typeof state>;

export const emptyState: State = emptyOf(state);
