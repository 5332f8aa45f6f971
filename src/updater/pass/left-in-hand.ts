import { asFault } from "../../rules/fault/explain.ts";
import { Fault, type AnyFaultCode } from "../../rules/fault/fault.ts";
import type { StepInHand, StepName } from "../record/state.ts";
import { stepParts } from "../record/steps.ts";
import type { Actors, Observers } from "./ports.ts";

type ToJudge = {
  readonly journal: { readonly inHand: () => StepInHand };
  readonly ports: Pick<Observers & Actors, "isGoingDown">;
};

/** Returns the fault of a change. Rethrows it if the next pass is to continue this change. */
export async function faultToJudge(thrown: unknown, { journal, ports }: ToJudge): Promise<Fault> {
  const fault = asFault(thrown);
  if (await ports.isGoingDown()) throw goingDown(fault);
  if (isLeftInHand(fault, journal.inHand().step)) throw fault;
  return fault;
}

/** Whether the next pass continues this change, because the fault says nothing about a version. The number of tries is bounded. */
export function isLeftInHand({ code }: Fault, step: StepName): boolean {
  // An installation that was killed or refused is not judged by its fault: what it left on the host says more.
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

/** Refuses to begin anything while the host goes down. */
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
