import type { Outcome, Recovered, StepInHand } from "../record/state.ts";
import { isWayBack } from "../record/steps.ts";

/** `install towards 15.4.6`, `back-install away from 15.4.6`. */
export function tellStep({ step, served }: Pick<StepInHand, "step" | "served">): string {
  return `${step} ${isWayBack(step) ? "away from" : "towards"} ${served}`;
}

/** `failed at the step health (unhealthy), undone: 15.4.5-1 is back`. */
export function tellUndone({ step, fault, to }: Extract<Outcome, { kind: "undone" }>): string {
  return `failed at the step ${step} (${fault.code}), undone: ${to} is back`;
}

/** What a pass did before it decided anything: an earlier one had been cut off. */
export function tellRecovered(recovered: Recovered): string {
  return `the step ${tellStep(recovered)}, which was cut off: ${recoveries[recovered.ended]}`;
}

const recoveries: Readonly<Record<Recovered["ended"], string>> = {
  unchanged: "the version before was and is there",
  finished: "the move was finished",
  undone: "the move was taken back",
  "not-mended": "nothing could mend it",
};
