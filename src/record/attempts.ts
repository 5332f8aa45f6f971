import type { Version } from "../version/version.ts";
import type { UnixSeconds } from "../window/window.ts";
import type { State, StepInHand } from "./state.ts";

/** What did not mend twice is one for a person. */
const mostAttempts = 2;

type Attempt = { readonly to: Version; readonly ended: "moved" | "failed"; readonly now: UnixSeconds };

/** A repair, which may seem to succeed and be needed again. */
export function countRepair(state: State, { to, ended, now }: Attempt): State {
  const attempts = attemptsTowards(state, to) + 1;
  const isHopeless = attempts > mostAttempts || (attempts === mostAttempts && ended === "failed");
  const why = `${attempts} repairs towards ${to} did not mend the agent's package`;
  return { ...state, repair: { to, attempts }, needsOperator: isHopeless ? { at: now, why } : state.needsOperator };
}

/** So that a version which takes the machine down is not tried for ever. */
export function countCutOff(state: State, { step, served: to }: StepInHand, now: UnixSeconds): State {
  const attempts = attemptsTowards(state, to) + 1;
  const why = `${attempts} passes towards ${to} were cut off, the last one at the step ${step}`;
  return { ...state, repair: { to, attempts }, needsOperator: attempts < mostAttempts ? state.needsOperator : { at: now, why } };
}

function attemptsTowards(state: State, to: Version): number {
  return state.repair?.to === to ? state.repair.attempts : 0;
}
