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
/** One version may come in several packages; more failed ones than this are noise. */
export const mostRejected = 10;
/** A pass makes each step once, and each of the rollback once. */
export const mostSteps = 20;
/** The installed version and the one before it. */
export const mostKept = 2;
/** Enough lines to see why a program ended; ten passes with this many fit the state file. */
export const mostEvidence = 5;
/** Room for a later release's keys, as printed: as much as for one of our lists. */
const longestCarriedByState: number = 32 * 1024;
/** A limit that our longest state does not reach: ten passes with the longest words, two faults and evidence each. */
export const longestStateBytes: number = 512 * 1024;

/** Each step is written down before it starts. */
export type StepName = keyof typeof stepParts;

/** A step of a past pass. An unknown one reads as install: it may have changed the package. */
export const pastStep: Shape<StepName> = words(stepParts, "install");
/** The step from which a pass continues. It must be known. */
const stepInHand: Shape<StepName> = words(stepParts);

const stepTime = record({ step: pastStep, ms: number });
export type StepTime = Of<typeof stepTime>;

// The last lines tell how the agent ended.
const evidence = orElse(listOf(word, mostEvidence, "last"), []);

/** Why a move is rolled back. */
const cause = record({ step: stepInHand, fault, evidence });
export type Cause = Of<typeof cause>;
const pastCause = { step: pastStep, fault: pastFault, evidence };

/** Why a move that failed after it had changed the package was not rolled back. */
export const noRollback = kinds({ "not-tried": { why: sentence }, failed: { step: pastStep, fault: pastFault } }, [
  { kind: "not-tried", why: "a later release of svc-upgrade knows why" },
]);
export type NoRollback = Of<typeof noRollback>;

export const outcome = kinds(
  {
    stayed: {},
    moved: { from: maybe(word), to: word, seconds: number },
    stopped: { fault: pastFault },
    /** `back` is undefined if nothing had changed yet. The unit's last lines tell why the agent failed. */
    failed: { ...pastCause, back: maybe(noRollback) },
    /** The change failed, and the version before it runs again. */
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

/** What this pass did about an earlier pass's unfinished move. */
const recovered = record({
  /** The step that was cut off. */
  step: pastStep,
  served: version,
  ended: words(endings, "finished"),
});
export type Recovered = Of<typeof recovered>;

/** Whether the pass ended without a fault, so that its exit status is 0. */
export function isSuccess({ kind }: Outcome): boolean {
  return kind === "stayed" || kind === "moved";
}

const pass = record({
  id: word,
  startedAt: number,
  seconds: number,
  installed: maybe(word),
  served: maybe(word),
  /** Undefined if the pass ended before it read the settings. */
  channel: maybe(word),
  pin: optional(version),
  decision,
  outcome,
  /** The duration of each step of a move, in order; empty without a move. */
  steps: orElse(listOf(stepTime, mostSteps), []),
  /** Undefined if there was nothing to recover. */
  recovered: maybe(recovered),
  /** Why the server did not answer, if the decision did not need it. */
  unanswered: optional(pastFault),
});
export type PassRecord = Of<typeof pass>;

/** A file in the directory of kept packages, as it was put there. */
export const keptPackage = record({
  packageVersion,
  /** The file's name in the directory of kept packages. */
  file: word,
  sha256: word,
  bytes: count,
});
export type KeptPackage = Of<typeof keptPackage>;

const contact = record({
  at: number,
  served: parsed<Version | "none">((found) => (found === "none" ? found : parseVersion(found)), "a semantic version or none"),
  isCritical: truth,
  /** The answer may have been outdated. */
  isUnconfirmed: optional(truth),
  /** Why a critical answer did not count as critical. */
  doubt: optional(doubt),
});
export type Contact = Of<typeof contact>;

/** The agent's unit at the end of the last pass. systemd counts restarts anew after each boot. */
export const agentRecord = record({ bootId: word, restarts: count, unhealthyPasses: count });
export type AgentRecord = Of<typeof agentRecord>;

/** How many passes towards a version were cut off and changed nothing. */
const cutOffs = record({ to: version, attempts: count });

export const movements = { install: 0, upgrade: 0, downgrade: 0, repair: 0 };
export const holds = {
  none: "the package manager held nothing",
  lifted: "an admin's hold on the package was overridden for the change, and is put back after it",
};

/** The unfinished step: what a pass had begun, and what the next pass needs to end it. Absent between passes. */
const inHand = record(
  {
    pass: word,
    step: stepInHand,
    movement: orElse(words(movements), "upgrade"),
    why: orElse(words(moveReasons), "window"),
    startedAt: number,
    served: version,
    /** Undefined in a state that an earlier release wrote. */
    channel: optional(word),
    from: maybe(packageVersion),
    /** Undefined until the offer is known. */
    to: maybe(packageVersion),
    /** The agent's condition just before the change; undefined until then. */
    agentBefore: maybe(agentCondition),
    /** When the package manager was first told to change the package; undefined until then. */
    changingSince: maybe(number),
    hold: orElse(words(holds), "none"),
    /** Why the move was rolled back; undefined on the way forth. */
    cause: maybe(cause),
    /** How many passes have tried to end this move. */
    recoveries: orElse(count, 0),
    /** This pass's steps before it, in order. */
    done: orElse(listOf(stepTime, mostSteps), []),
  },
  { changes: "by key" },
);
export type StepInHand = Of<typeof inHand>;

/** What `notify.command` was told, so that it is not told again. */
const told = record({
  /** The remembered passes whose outcome was told. */
  passes: listOf(word, mostPasses),
  /** Identifies the reason why a person is needed; the words for it may change. */
  operator: maybe(word),
  /** Since when the server is silent. */
  silent: maybe(number),
  /** The last attempt that failed and changed nothing: its target and fault. */
  failed: maybe(word),
});
export type ToldSoFar = Of<typeof told>;

/**
 * What passes leave for later ones. It has no secrets, because everyone may read the file. Keys may be added under this schema number, but never
 * change their meaning. Their order is fixed, so that people can compare two states.
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
    /** The channel configurations under which passes got answers, newest first. */
    channels: orElse(listOf(stretch, mostStretches), []),
    /** The versions that passes heard the channel serve, and how its answers agreed. */
    heard: orElse(allHeard, nothingHeard, ({ channel }) => channel === undefined),
    /** When a pass first failed to reach the server since the last contact. */
    silentSince: maybe(number),
    /** When the repositories were last searched for another package of a version that failed here. */
    searchedAt: maybe(number),
    /** The version before the last move, to which `rollback` goes. */
    previous: maybe(previous),
    /** The packages that are kept on this host, newest first. */
    kept: orElse(listOf(keptPackage, mostKept), []),
    /** The end of the hold that the last pass saw in force. The first pass after that moment logs it once. */
    heldUntil: maybe(number),
    /** Why the last warning found no valid schedule. Each reason is warned of once. */
    noSchedule: maybe(word),
    /** What a pass did about an unfinished move. Stays until a pass's record holds it, because that pass may be cut off too. */
    recovered: maybe(recovered),
    clock: maybe(recordedClock),
    doubtedClock: maybe(recordedClock),
    /** Undefined if nobody is notified. */
    told: maybe(told),
    /** When the last pass without a fault began; it may be older than all the passes below. */
    lastSuccessAt: maybe(number),
    /** The durations of the last moves, newest first. */
    moveSeconds: listOf(number, mostMoveSeconds),
    /** The last passes, newest first. */
    passes: listOf(pass, mostPasses),
    step: maybe(inHand),
  },
  { schema: 1, changes: "by key", longestCarried: longestCarriedByState },
);
export type State = Of<typeof state>;

export const emptyState: State = emptyOf(state);
