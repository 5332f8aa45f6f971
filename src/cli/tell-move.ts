import { asWritten, isKnown } from "../shape/beyond.ts";
import type { Outcome, Recovered, StepInHand } from "../record/state.ts";
import { isWayBack } from "../record/steps.ts";

/** `install towards 15.4.6`, `back-install away from 15.4.6`. */
export function tellStep(at: Pick<StepInHand, "step" | "served">): string {
  return `${asWritten(at, "step")} ${isWayBack(at.step) ? "away from" : "towards"} ${at.served}`;
}

/** `failed at the step health (unhealthy), undone: 15.4.5-1 is back`. */
export function tellUndone(outcome: Extract<Outcome, { kind: "undone" }>): string {
  const { fault, to } = outcome;
  return `failed at the step ${asWritten(outcome, "step")} (${asWritten(fault, "code")}), undone: ${to} is back`;
}

/** What a pass did before it decided anything: an earlier one had been cut off. */
export function tellRecovered(recovered: Recovered): string {
  const ended = isKnown(recovered, "ended") ? recoveries[recovered.ended] : asWritten(recovered, "ended");
  return `the step ${tellStep(recovered)}, which was cut off: ${ended}`;
}

const recoveries: Readonly<Record<Recovered["ended"], string>> = {
  unchanged: "the version before was and is there",
  finished: "the move was finished",
  undone: "the move was taken back",
  "not-mended": "nothing could mend it",
};
