import { asFault } from "../../rules/fault/explain.ts";
import { Fault, type AnyFaultCode } from "../../rules/fault/fault.ts";
import type { StepInHand, StepName } from "../record/state.ts";
import { stepParts } from "../record/steps.ts";
import type { Actors, Observers } from "./ports.ts";

type ToJudge = {
  readonly journal: { readonly inHand: () => StepInHand };
  readonly ports: Pick<Observers & Actors, "isGoingDown">;
};

/** The fault of a change that has begun; rethrown if the change has to stay in hand. */
export async function faultToJudge(thrown: unknown, { journal, ports }: ToJudge): Promise<Fault> {
  const fault = asFault(thrown);
  if (await ports.isGoingDown()) throw goingDown(fault);
  if (isLeftInHand(fault, journal.inHand().step)) throw fault;
  return fault;
}

/**
 * Whether the change stays in hand, because the fault says nothing about any version: the next pass continues it. The number of tries is
 * bounded, as for a pass that was cut off.
 */
export function isLeftInHand({ code }: Fault, step: StepName): boolean {
  // An installation that was killed or refused is looked at now: what it left says more.
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

/** Begins nothing new on a host that goes down, whatever is in hand. */
export async function refuseWhenGoingDown({
  isGoingDown,
  stopping,
}: Pick<Observers & Actors, "isGoingDown" | "stopping">): Promise<void> {
  // A shutdown also stops the pass, so until then nobody has to be asked.
  if (stopping.aborted && (await isGoingDown())) throw goingDown();
}

function goingDown(cause?: Fault): Fault {
  return new Fault("stopping", {
    message: "the host is going down in the middle of a move",
    hint: "nothing to do: the first pass after the boot goes on from here",
    cause,
  });
}
