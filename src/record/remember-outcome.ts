import { nextBackoff } from "../decide/backoff.ts";
import { isReadOnlyBothWays, isVersionsFault } from "../plan/blame.ts";
import { isCallOver } from "../plan/operator-need.ts";
import type { Move } from "../plan/decision.ts";
import type { Previous } from "../plan/facts.ts";
import { faultTable } from "../fault/table.ts";
import type { Movement } from "../plan/target.ts";
import { countNowhere, countRepair } from "./attempts.ts";
import type { FinishedPass } from "./finished-pass.ts";
import { tellNotUndone } from "./outcome-fault.ts";
import { forgetOlder, reject, rejectLeft, rememberRollback, type AskedBack } from "./rejections.ts";
import { mostMoveSeconds, type Cause, type Outcome, type State } from "./state.ts";
import { changesHost } from "./steps.ts";

/** What the decision and its outcome change for the next pass. */
export function rememberOutcome(state: State, pass: FinishedPass): State {
  const { decision } = pass.record;
  switch (decision.kind) {
    case "stop":
      return state;
    case "stay":
      return decision.why === "current" ? rememberCurrent(state, pass) : state;
    case "move":
      return rememberMove(state, decision, pass);
  }
}

/**
 * There is nothing left to do; and an agent that runs at the served version needs nobody any more, unless that version failed
 * here. Nor are older versions that failed of any interest then.
 */
function rememberCurrent(state: State, { facts: { agent, installed } }: FinishedPass): State {
  const calm = { ...state, backoff: undefined, cutOffs: undefined };
  const isOver = isCallOver({ agent, installed, rejected: state.rejected });
  if (!isOver || installed.version === undefined) return calm;
  return { ...forgetOlder(calm, installed.version), needsOperator: undefined };
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
      // The version to go back to has run here before, so nothing is held against it.
      return move.why === "rollback" ? state : rememberFailure(tried, move.target, { pass, cause: outcome });
    case "failed":
      return isNothing(outcome) ? state : rememberFailed(tried, move, { pass, outcome });
  }
}

type Failed = Extract<Outcome, { kind: "failed" }>;

/** A move that was asked to stop before it began, or came too late to begin, counts for nothing. */
function isNothing({ back, fault }: Failed): boolean {
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
  return rememberLeft(isProven(pass) ? forgetOlder(moved, target.to) : moved, target, pass);
}

/** An agent that did not run before is not watched afterwards. */
function isProven({ agentBefore }: FinishedPass): boolean {
  return agentBefore === "running";
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
  // What is there now is not sure: the rollback from it leads to the version before.
  return back === undefined ? blamed : callPerson(rememberLeft(blamed, target, pass), target, failing);
}

/** Lists that could not be refreshed, a lock or a full disk say nothing of the repair. */
function countFailedRepair(state: State, { to }: Movement, { outcome }: Failing): State {
  const { step, fault } = outcome;
  if (fault.code === "not-offered") return countNowhere(state, to);
  if (!changesHost(step) || faultTable[fault.code].exit === 75) return state;
  return countRepair(state, to);
}

/**
 * Neither version could be brought to run: another try would do no better. Where only nothing was at hand to go back to, the next
 * version that is served may be the cure.
 */
function callPerson(state: State, { to }: Movement, { pass, outcome }: Failing): State {
  const { back } = outcome;
  if (back?.kind !== "failed" || isReadOnlyBothWays(outcome.fault.code, back.fault.code)) return state;
  return { ...state, needsOperator: { at: pass.facts.now, why: `on the way to ${to} ${tellNotUndone({ ...outcome, back })}` } };
}

/** What a repair comes from is broken, and an installation comes from nothing: neither is a version to go back to. */
function rememberLeft(state: State, target: Movement, pass: FinishedPass): State {
  const left = leftBy(pass);
  if (left === undefined || (target.kind !== "upgrade" && target.kind !== "downgrade")) return state;
  return { ...state, previous: { ...left, leftAt: pass.facts.now } };
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
