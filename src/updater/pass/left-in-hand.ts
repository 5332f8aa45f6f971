import { asFault } from "../../rules/fault/explain.ts";
import { Fault, type AnyFaultCode } from "../../rules/fault/fault.ts";
import type { StepInHand, StepName } from "../record/state.ts";
import { stepParts } from "../record/steps.ts";
import type { Actors, Observers } from "./ports.ts";

type ToJudge = {
  readonly journal: { readonly inHand: () => StepInHand };
  readonly ports: Pick<Observers & Actors, "isGoingDown">;
};

/** Returns the fault of a change for judgement. Throws it again if the next pass will continue the change. */
export async function faultToJudge(thrown: unknown, { journal, ports }: ToJudge): Promise<Fault> {
  const fault = asFault(thrown);
  if (await ports.isGoingDown()) throw goingDown(fault);
  if (isLeftInHand(fault, journal.inHand().step)) throw fault;
  return fault;
}

/** Whether the next pass continues this change, because the fault says nothing about the version. The number of tries is limited. */
export function isLeftInHand({ code }: Fault, step: StepName): boolean {
  // For a killed or refused installation the fault says little: what is on the host now decides.
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
  // A shutdown raises `stopping` first, so systemd is asked only after that.
  if (stopping.aborted && (await isGoingDown())) throw goingDown();
}

function goingDown(cause?: Fault): Fault {
  return new Fault("stopping", {
    message: "the host is going down in the middle of a move",
    hint: "nothing to do: the first pass after the boot goes on from here",
    cause,
  });
}
