import { asWritten, isKnown } from "../../rules/shape/unknown-keys.ts";
import type { Outcome, Recovered, StepInHand } from "../record/state.ts";
import { doingIn } from "../record/steps.ts";

/** Example: `installing 15.4.6`. */
export function tellStep(at: Pick<StepInHand, "step" | "served">): string {
  return isKnown(at, "step") ? doingIn[at.step](at.served) : `at the step ${asWritten(at, "step")}, on the way to ${at.served}`;
}

/** `failed at the step health (unhealthy), rolled back to 15.4.5-1`. */
export function tellUndone(outcome: Extract<Outcome, { kind: "undone" }>): string {
  const { fault, to } = outcome;
  return `failed at the step ${asWritten(outcome, "step")} (${asWritten(fault, "code")}), rolled back to ${to}`;
}

/** What a pass did before its decision, because an earlier one did not finish. */
export function tellRecovered(recovered: Recovered): string {
  const ended = isKnown(recovered, "ended") ? recoveries[recovered.ended] : asWritten(recovered, "ended");
  return `an earlier pass did not finish (it was ${tellStep(recovered)}): ${ended}`;
}

const recoveries: Readonly<Record<Recovered["ended"], string>> = {
  unchanged: "the previous version is in place",
  finished: "the move was finished",
  undone: "the move was rolled back",
  "not-mended": "it could not be repaired",
};
