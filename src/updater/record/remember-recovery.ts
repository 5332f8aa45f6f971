import type { FaultData } from "../../rules/fault/fault.ts";
import { nextBackoff } from "../../rules/decide/backoff.ts";
import { isVersionsFault } from "../plan/decide-rollback.ts";
import type { Previous } from "../plan/host-facts.ts";
import { wrappedVersion } from "../../rules/version/wrapped.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { countCutOff, countRepair } from "./attempts.ts";
import { short } from "./outcome-fault.ts";
import { buildKept, reject, rememberRollback } from "./rejections.ts";
import type { Cause, Recovered, State, StepInHand } from "./state.ts";
import { changesHost, doingIn } from "./steps.ts";

/** How a pass ended an earlier pass's move. */
export type EndedRecovery = {
  readonly recovered: Recovered;
  /** Why the move was rolled back, by this pass or the unfinished one. */
  readonly cause: Cause | undefined;
  /** Why it could not be repaired. */
  readonly failure: { readonly message: string } | undefined;
  readonly now: UnixSeconds;
};

/** Clears the unfinished step. Gives up a version at which passes are cut off again and again. */
export function rememberRecovery(state: State, step: StepInHand, recovery: EndedRecovery): State {
  const ended = { ...state, step: undefined };
  if (!changesHost(step.step)) return ended;
  const tried = step.why === "rescue" ? { ...ended, rescuedFor: step.served } : ended;
  switch (recovery.recovered.ended) {
    case "unchanged":
      return countCutOff(ended, step, recovery.now);
    case "finished":
      return rememberFinished(tried, step, recovery.now);
    case "undone":
      return rememberUndone(tried, step, recovery);
    case "not-mended":
      return rememberNotMended(tried, step, recovery);
  }
}

/** Like a move that finished, but without its duration. */
function rememberFinished(state: State, step: StepInHand, now: UnixSeconds): State {
  const { movement, served: to, why, from } = step;
  const moved = { ...state, backoff: undefined };
  if (why === "rollback") return rememberRollback(moved, { left: named(from), to, now });
  return movement === "repair" ? countRepair(moved, to) : rememberLeft(moved, step);
}

/** A move that was rolled back because it did not finish says nothing about the version, unless that happens again. */
function rememberUndone(state: State, step: StepInHand, { cause, now }: EndedRecovery): State {
  if (cause !== undefined && isBlamed(step, cause)) return rejectTarget(state, step, { cause, now });
  const counted = countCutOff(state, step, now);
  if (cause === undefined && step.recoveries <= 1) return counted;
  return {
    ...counted,
    backoff: nextBackoff(state.backoff, { served: step.served, cause: cause?.fault ?? cutOffAgain(step) }, now),
  };
}

/** The reason to wait: if the version takes the host down, this pass would cause the next power cut. */
function cutOffAgain({ step, served, recoveries }: StepInHand): FaultData {
  const times = `${recoveries} passes in a row`;
  const message = `${times} did not finish the move to ${served}; the first one was ${doingIn[step](served)}`;
  return { code: "interrupted", message, hint: "see with `journalctl --list-boots` whether the host went down", causes: [] };
}

/** The installed version is not known, so a rollback goes to the version before it. */
function rememberNotMended(state: State, step: StepInHand, { cause, failure, now }: EndedRecovery): State {
  const known = cause !== undefined && isBlamed(step, cause) ? rejectTarget(state, step, { cause, now }) : state;
  const left = step.why === "rollback" ? known : rememberLeft(known, step);
  // No package was kept, so the pass tried nothing. The next pass that reaches a repository repairs the agent.
  if (failure === undefined) return countCutOff(left, step, now);
  const first = cause === undefined ? "" : `the step ${cause.step} failed: ${short(cause.fault.message)}; `;
  return { ...left, needsOperator: { at: now, why: `on the way to ${step.served}: ${first}${short(failure.message)}` } };
}

function isBlamed({ movement, agentBefore }: StepInHand, { fault }: Cause): boolean {
  return isVersionsFault({ movement, code: fault.code, agentBefore });
}

function rejectTarget(
  state: State,
  { served, to }: StepInHand,
  { cause, now }: { readonly cause: Cause; readonly now: UnixSeconds },
): State {
  const { fault } = cause;
  if (to === undefined) return { ...state, backoff: nextBackoff(state.backoff, { served, cause: fault }, now) };
  const build = buildKept(state, to);
  return reject({ ...state, backoff: undefined }, { served, packageVersion: to, build, at: now, why: fault.message });
}

/** A repair or an installation leaves no version that a rollback could lead to. */
function rememberLeft(state: State, { movement, from, served, changingSince, startedAt }: StepInHand): State {
  const left = named(from);
  if (left === undefined || left.version === served || (movement !== "upgrade" && movement !== "downgrade")) return state;
  return { ...state, previous: { ...left, leftAt: changingSince ?? startedAt } };
}

function named(packageVersion: StepInHand["from"]): Pick<Previous, "version" | "packageVersion"> | undefined {
  const version = packageVersion === undefined ? undefined : wrappedVersion(packageVersion);
  return packageVersion === undefined || version === undefined ? undefined : { version, packageVersion };
}
