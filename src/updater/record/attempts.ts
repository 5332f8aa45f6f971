import type { Version } from "../../rules/version/version.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { State, StepInHand } from "./state.ts";
import { doingIn } from "./steps.ts";

/** A version that takes the host down twice will do so again. */
const mostCutOffs = 2;

/** A repair, which may seem to succeed and be needed again. */
export function countRepair(state: State, to: Version): State {
  const attempts = state.repair?.to === to ? state.repair.attempts + 1 : 1;
  return { ...state, repair: { to, attempts, isNowhere: false } };
}

/** A repair that nothing was there for: the package is neither kept nor in a repository. */
export function countNowhere(state: State, to: Version): State {
  const attempts = state.repair?.to === to ? state.repair.attempts : 0;
  return { ...state, repair: { to, attempts, isNowhere: true } };
}

/** So that a version which takes the host down is not tried for ever. Instead of a repair another version may be served. */
export function countCutOff(state: State, { step, movement, served: to }: StepInHand, now: UnixSeconds): State {
  if (movement === "repair") return countRepair(state, to);
  const attempts = state.cutOffs?.to === to ? state.cutOffs.attempts + 1 : 1;
  const counted = { ...state, cutOffs: { to, attempts } };
  if (attempts < mostCutOffs) return counted;
  const why = `${attempts} passes did not finish the move to ${to}; the last one was ${doingIn[step](to)}`;
  return { ...counted, needsOperator: { at: now, why } };
}
