import type { Version } from "../../rules/version/version.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { State, StepInHand } from "./state.ts";
import { doingIn } from "./steps.ts";

/** A version that takes the host down twice will do it again. */
const mostCutOffs = 2;

/** Counts a repair even if it succeeded, because it may be needed again. */
export function countRepair(state: State, to: Version): State {
  const attempts = state.repair?.to === to ? state.repair.attempts + 1 : 1;
  return { ...state, repair: { to, attempts, isNowhere: false } };
}

/** Counts a repair that found its package neither kept nor in a repository. */
export function countNowhere(state: State, to: Version): State {
  const attempts = state.repair?.to === to ? state.repair.attempts : 0;
  return { ...state, repair: { to, attempts, isNowhere: true } };
}

/**
 * Counts passes that were cut off, so that a version which takes the host down is not tried for ever. A repair counts as one: another
 * served version may replace it.
 */
export function countCutOff(state: State, { step, movement, served: to }: StepInHand, now: UnixSeconds): State {
  if (movement === "repair") return countRepair(state, to);
  const attempts = state.cutOffs?.to === to ? state.cutOffs.attempts + 1 : 1;
  const counted = { ...state, cutOffs: { to, attempts } };
  if (attempts < mostCutOffs) return counted;
  const why = `${attempts} passes did not finish the move to ${to}; the last one was ${doingIn[step](to)}`;
  return { ...counted, needsOperator: { at: now, why } };
}
