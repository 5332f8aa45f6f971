import { nextBackoff } from "../plan/backoff.ts";
import type { FaultData } from "../fault/fault.ts";
import type { Move } from "../plan/decision.ts";
import type { Previous, Rejection } from "../plan/facts.ts";
import type { Movement } from "../plan/target.ts";
import type { Version } from "../version/version.ts";
import { wrappedVersion } from "../version/wrapped.ts";
import type { UnixSeconds } from "../window/window.ts";
import type { FinishedPass } from "./finished-pass.ts";
import { mostMoveSeconds, mostRejected, type Outcome, type State, type StepInHand, type StepName } from "./state.ts";

/** A repair that did not mend twice is one for a person. */
const mostRepairs = 2;

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

/** A pass that was cut off in the middle of changing the host: counted, so that a version which takes the machine down is not tried for ever. */
export function rememberInterruption(state: State, now: UnixSeconds): State {
  const { step } = state;
  if (step === undefined) return state;
  if (!changesHost(step.step)) return { ...state, step: undefined };
  const attempts = attemptsTowards(state, step.served) + 1;
  const why = `${attempts} passes were cut off at the step ${step.step} towards ${step.served}`;
  return {
    ...state,
    step: undefined,
    previous: leftBy(step, state.previous),
    repair: { to: step.served, attempts },
    needsOperator: attempts < mostRepairs ? state.needsOperator : { at: now, why },
  };
}

/** A way back that was cut off still leads where it led. */
function leftBy({ from, served, startedAt }: StepInHand, previous: Previous | undefined): Previous | undefined {
  const version = from === undefined ? undefined : wrappedVersion(from);
  if (from === undefined || version === undefined) return previous;
  if (version === served || previous?.version === served) return previous;
  return { version, packageVersion: from, leftAt: startedAt };
}

/** There is nothing left to mend; and an agent that runs takes back the call for a person. */
function rememberCurrent(state: State, { facts }: FinishedPass): State {
  const needsOperator = facts.agent === "running" ? undefined : state.needsOperator;
  return { ...state, needsOperator, backoff: undefined, repair: undefined };
}

/** A move that was asked to stop before it began counts for nothing, nor does one that was never tried. */
function rememberMove(state: State, { why, target }: Move, pass: FinishedPass): State {
  const { outcome } = pass.record;
  if (outcome.kind !== "moved" && outcome.kind !== "failed") return state;
  if (outcome.kind === "failed" && outcome.fault.code === "stopping") return state;
  const rescued = why === "rescue" ? { ...state, rescuedFor: target.to } : state;
  const counted = target.kind === "repair" ? countRepair(rescued, target.to, pass) : rescued;
  if (outcome.kind === "failed") {
    // The version to go back to has run here before, so nothing is held against it.
    if (why === "rollback") return mayHaveMoved(outcome) ? rejectLeft(state, target, pass) : state;
    const left = mayHaveMoved(outcome) ? rememberLeft(counted, target, pass) : counted;
    return rememberFailure(left, target, { pass, fault: outcome.fault });
  }
  const moved = {
    ...counted,
    backoff: undefined,
    moveSeconds: [outcome.seconds, ...state.moveSeconds].slice(0, mostMoveSeconds),
  };
  return why === "rollback" ? rememberWayBack(moved, target, pass) : rememberLeft(moved, target, pass);
}

/** A failed installation may have left the new version half-way: the way back from there leads to the old one. */
function mayHaveMoved({ step, fault }: Extract<Outcome, { kind: "failed" }>): boolean {
  return step === "install" ? fault.code === "install-failed" : changesHost(step);
}

/** What a repair comes from is broken, and an installation comes from nothing: neither is a version to go back to. */
function rememberLeft(state: State, target: Movement, { facts }: FinishedPass): State {
  const { installed, now } = facts;
  if (target.kind !== "upgrade" && target.kind !== "downgrade") return state;
  if (installed.kind === "absent" || installed.version === undefined) return state;
  return { ...state, previous: { version: installed.version, packageVersion: installed.packageVersion, leftAt: now } };
}

function rememberWayBack(state: State, target: Movement, pass: FinishedPass): State {
  return rejectLeft({ ...state, previous: undefined, repair: undefined, needsOperator: undefined }, target, pass);
}

/** The version that an administrator left is not for this host, until another one is served or it is asked for again. */
function rejectLeft(state: State, { to }: Movement, { facts }: FinishedPass): State {
  const { installed, now } = facts;
  if (installed.kind === "absent" || installed.version === undefined) return state;
  const { version, packageVersion } = installed;
  // An earlier way back that broke off half-way was mended: what it had left is not known any more.
  if (version === to) return state;
  return reject(state, { served: version, packageVersion, at: now, why: "an administrator went back from it" });
}

/** Lists that could not be refreshed say nothing of the repair; what touched the package does. */
function countRepair(state: State, to: Version, { record, facts }: FinishedPass): State {
  const { outcome } = record;
  if (outcome.kind === "failed" && !changesHost(outcome.step)) return state;
  const attempts = attemptsTowards(state, to) + 1;
  const isHopeless = attempts > mostRepairs || (attempts === mostRepairs && outcome.kind === "failed");
  const why = `${attempts} repairs towards ${to} did not mend the agent's package`;
  return { ...state, repair: { to, attempts }, needsOperator: isHopeless ? { at: facts.now, why } : state.needsOperator };
}

type Failure = { readonly pass: FinishedPass; readonly fault: FaultData };

function rememberFailure(state: State, target: Movement, failure: Failure): State {
  const { pass, fault } = failure;
  const { now } = pass.facts;
  if (pass.installing === undefined || !isVersionsFault(target, failure)) {
    return { ...state, backoff: nextBackoff(state.backoff, { served: target.to, cause: fault }, now) };
  }
  return reject(
    { ...state, backoff: undefined },
    { served: target.to, packageVersion: pass.installing, at: now, why: fault.message },
  );
}

function reject(state: State, rejection: Rejection): State {
  const others = state.rejected.filter((row) => row.packageVersion !== rejection.packageVersion);
  return { ...state, rejected: [rejection, ...others].slice(0, mostRejected) };
}

/**
 * Whether the version itself is to blame: then it is not tried again. Not where a repair failed, which is counted instead,
 * and not where the agent was ill before.
 */
function isVersionsFault(target: Movement, { pass, fault }: Failure): boolean {
  if (target.kind === "repair") return false;
  if (fault.code === "activate-failed") return pass.facts.agent !== "unhealthy";
  return fault.code === "install-failed" || fault.code === "verify-failed";
}

function attemptsTowards(state: State, to: Version): number {
  return state.repair?.to === to ? state.repair.attempts : 0;
}

function changesHost(step: StepName): boolean {
  return step === "install" || step === "verify" || step === "activate";
}
