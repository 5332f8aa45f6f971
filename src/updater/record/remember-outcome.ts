import { nextBackoff } from "../../rules/decide/backoff.ts";
import { servedIn } from "../../rules/decide/served.ts";
import { isReadOnlyBothWays, isVersionsFault } from "../plan/decide-rollback.ts";
import { isCallOver } from "../plan/operator-need.ts";
import type { Move } from "../plan/host-decision.ts";
import type { Previous } from "../plan/host-facts.ts";
import { faultTable } from "../../rules/fault/table.ts";
import type { Movement } from "../plan/target.ts";
import { compareVersions, type Version } from "../../rules/version/version.ts";
import { countNowhere, countRepair } from "./attempts.ts";
import type { FinishedPass } from "./finished-pass.ts";
import { tellNotUndone } from "./outcome-fault.ts";
import { forgetOlder, reject, rejectLeft, rememberRollback, type AskedBack } from "./rejections.ts";
import { mostMoveSeconds, type Cause, type Outcome, type State } from "./state.ts";
import { changesHost } from "./steps.ts";

/** The state with what the decision and its outcome change. */
export function rememberOutcome(state: State, pass: FinishedPass): State {
  const { decision } = pass.record;
  switch (decision.kind) {
    case "stop":
      return state;
    case "stay":
      if (decision.why === "current" || (decision.why === "pinned" && isServed(pass.facts.installed.version, pass))) {
        return rememberCurrent(state, pass);
      }
      return decision.why === "pinned" ? rememberPinned(state, pass) : state;
    case "move":
      return rememberMove(state, decision, pass);
  }
}

/**
 * Nothing is left to do. An agent that runs at the served version needs no person any more, unless that version failed here. Failures of older
 * versions no longer matter.
 */
function rememberCurrent(state: State, { facts: { agent, installed } }: FinishedPass): State {
  const calm = { ...state, backoff: undefined, cutOffs: undefined };
  const isOver = isCallOver({ agent, installed, rejected: state.rejected });
  if (!isOver || installed.version === undefined) return calm;
  return { ...forgetOlder(calm, installed.version), needsOperator: undefined };
}

/** A pin proves nothing about the served version, only that the pinned one is installed. */
function rememberPinned(state: State, { facts: { installed } }: FinishedPass): State {
  return {
    ...state,
    backoff: state.backoff?.served === installed.version ? undefined : state.backoff,
    cutOffs: state.cutOffs?.to === installed.version ? undefined : state.cutOffs,
  };
}

function rememberMove(state: State, move: Move, pass: FinishedPass): State {
  const { outcome } = pass.record;
  const tried = move.why === "rescue" ? { ...state, rescuedFor: move.target.to } : state;
  switch (outcome.kind) {
    case "stayed":
    case "stopped":
      return state;
    case "moved":
      return rememberMoved(tried, move, { pass, seconds: outcome.seconds });
    case "undone":
      // Does not blame the version of a rollback, which has run here before.
      return move.why === "rollback" ? state : rememberFailure(tried, move.target, { pass, cause: outcome });
    case "failed":
      return isNothing(outcome) ? state : rememberFailed(tried, move, { pass, outcome });
  }
}

type Failed = Extract<Outcome, { kind: "failed" }>;

/** Whether a move counts for nothing, because it was stopped or too late before it began. */
export function isNothing({ back, fault }: Failed): boolean {
  return back === undefined && (fault.code === "stopping" || fault.code === "overtaken");
}

function rememberMoved(
  state: State,
  { why, target }: Move,
  { pass, seconds }: { readonly pass: FinishedPass; readonly seconds: number },
): State {
  const counted = target.kind === "repair" ? countRepair(state, target.to) : { ...state, repair: undefined };
  const moved = { ...counted, backoff: undefined, moveSeconds: [seconds, ...state.moveSeconds].slice(0, mostMoveSeconds) };
  if (why === "rollback") return rememberRollback(moved, askedBack(target, pass));
  return rememberLeft(isProven(target.to, pass) ? forgetOlder(moved, target.to) : moved, target, pass);
}

/** An agent that did not run before is not watched afterwards; and only the served version can be newer than a failed one. */
function isProven(version: Version, pass: FinishedPass): boolean {
  return pass.agentBefore === "running" && isServed(version, pass);
}

function isServed(version: Version | undefined, { facts: { answer } }: FinishedPass): boolean {
  const served = servedIn(answer);
  return version !== undefined && served.kind === "version" && compareVersions(served.version, version) === 0;
}

type Failing = { readonly pass: FinishedPass; readonly outcome: Failed };

function rememberFailed(state: State, move: Move, failing: Failing): State {
  const { pass, outcome } = failing;
  const { why, target } = move;
  const { back } = outcome;
  if (why === "rollback") {
    return back === undefined ? state : callPerson(rejectLeft(state, askedBack(target, pass)), target, failing);
  }
  const counted = target.kind === "repair" ? countFailedRepair(state, target, failing) : state;
  const blamed = rememberFailure(counted, target, { pass, cause: outcome });
  // The installed version is not certain, so a rollback goes to the version before it.
  return back === undefined ? blamed : callPerson(rememberLeft(blamed, target, pass), target, failing);
}

/** Counts a failed repair, but not if lists cannot be refreshed, somebody has a lock, or a disk is full. */
function countFailedRepair(state: State, { to }: Movement, { outcome }: Failing): State {
  const { step, fault } = outcome;
  if (fault.code === "not-offered") return countNowhere(state, to);
  if (!changesHost(step) || faultTable[fault.code].exit === 75) return state;
  return countRepair(state, to);
}

/**
 * Calls a person, because neither version runs and another try would not help. Not if only the package for the rollback was missing: the next served
 * version may help.
 */
function callPerson(state: State, { to }: Movement, { pass, outcome }: Failing): State {
  const { back } = outcome;
  if (back?.kind !== "failed" || isReadOnlyBothWays(outcome.fault.code, back.fault.code)) return state;
  return { ...state, needsOperator: { at: pass.facts.now, why: `on the way to ${to} ${tellNotUndone({ ...outcome, back })}` } };
}

/** Remembers the version that was left. A repair or an installation leaves none to which a rollback could go. */
function rememberLeft(state: State, target: Movement, pass: FinishedPass): State {
  const left = leftBy(pass);
  if (left === undefined || (target.kind !== "upgrade" && target.kind !== "downgrade")) return state;
  const isPinLed = pass.record.pin === undefined ? {} : { isPinLed: true };
  return { ...state, previous: { ...left, leftAt: pass.facts.now, ...isPinLed } };
}

function askedBack({ to }: Movement, pass: FinishedPass): AskedBack {
  return { left: leftBy(pass), to, now: pass.facts.now };
}

function leftBy({ facts: { installed } }: FinishedPass): Pick<Previous, "version" | "packageVersion"> | undefined {
  if (installed.version === undefined) return undefined;
  return { version: installed.version, packageVersion: installed.packageVersion };
}

type Failure = { readonly pass: FinishedPass; readonly cause: Cause };

/** The version is not tried again, or not for a while. */
function rememberFailure(state: State, target: Movement, failure: Failure): State {
  const { pass, cause } = failure;
  const { now } = pass.facts;
  if (pass.installing === undefined || !isBlamedFor(target, failure)) {
    return { ...state, backoff: nextBackoff(state.backoff, { served: target.to, cause: cause.fault }, now) };
  }
  return reject(
    { ...state, backoff: undefined },
    { served: target.to, packageVersion: pass.installing, build: pass.build, at: now, why: cause.fault.message },
  );
}

function isBlamedFor({ kind: movement }: Movement, { pass: { agentBefore }, cause }: Failure): boolean {
  return isVersionsFault({ movement, code: cause.fault.code, agentBefore });
}
