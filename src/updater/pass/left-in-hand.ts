import { asFault } from "../../rules/fault/explain.ts";
import { Fault, type AnyFaultCode } from "../../rules/fault/fault.ts";
import type { StepInHand, StepName } from "../record/state.ts";
import { stepParts } from "../record/steps.ts";
import type { Actors, Observers } from "./ports.ts";

type ToJudge = {
  readonly journal: { readonly inHand: () => StepInHand };
  readonly ports: Pick<Observers & Actors, "isGoingDown">;
};

/** What went wrong in a change that has begun; thrown on where the change has to stay in hand. */
export async function faultToJudge(thrown: unknown, { journal, ports }: ToJudge): Promise<Fault> {
  const fault = asFault(thrown);
  if (await ports.isGoingDown()) throw goingDown(fault);
  if (isLeftInHand(fault, journal.inHand().step)) throw fault;
  return fault;
}

/**
 * Whether the change stays in hand for what is no verdict on any version: the next pass goes on from there. How often is bounded,
 * as for one that did not finish.
 */
export function isLeftInHand({ code }: Fault, step: StepName): boolean {
  // Of an installation that was ended by a signal or refused, what it has left tells more: that is looked at at once.
  if (step === "install") return code === "busy" || code === "stopping";
  switch (stepParts[step]) {
    case "before":
      return false;
    case "forth":
      return !verdicts.includes(code);
    case "back":
      return passing.includes(code);
  }
}

const verdicts: readonly AnyFaultCode[] = ["verify-failed", "activate-failed", "unhealthy", "bug"];
const passing: readonly AnyFaultCode[] = [
  "interrupted",
  "busy",
  "stopping",
  "os-failed",
  "manager-busy",
  "overtaken",
  "state-unwritable",
];

/** Nothing new is begun on a host that is on its way down, whatever is in hand. */
export async function refuseWhenGoingDown({
  isGoingDown,
  stopping,
}: Pick<Observers & Actors, "isGoingDown" | "stopping">): Promise<void> {
  // A shutdown stops the pass as well, so nobody needs to be asked before that.
  if (stopping.aborted && (await isGoingDown())) throw goingDown();
}

function goingDown(cause?: Fault): Fault {
  return new Fault("stopping", {
    message: "the host is going down in the middle of a move",
    hint: "nothing to do: the first pass after the boot goes on from here",
    cause,
  });
}
