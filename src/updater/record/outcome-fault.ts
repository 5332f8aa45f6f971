import type { FaultData } from "../../rules/fault/fault.ts";
import { isReadOnlyBothWays } from "../plan/decide-rollback.ts";
import { quote } from "../../rules/text/quote.ts";
import type { Cause, NoRollback, Outcome } from "./state.ts";

/** The fault that a pass answers with. If there are two, the one that leaves the host worse counts. Undefined if the pass ended well. */
export function faultOfOutcome(outcome: Outcome): FaultData | undefined {
  switch (outcome.kind) {
    case "stayed":
    case "moved":
      return undefined;
    case "stopped":
    case "undone":
      return outcome.fault;
    case "failed":
      return faultOfFailure(outcome);
  }
}

/** The fault of the move, or of its rollback if that failed as well. */
export function faultOfFailure(outcome: Extract<Outcome, { kind: "failed" }>): FaultData {
  const { back, fault } = outcome;
  if (back?.kind !== "failed") return fault;
  if (isReadOnlyBothWays(fault.code, back.fault.code)) return fault;
  return {
    code: "way-back-failed",
    message: tell({ ...outcome, back }, (message) => message),
    hint: `${back.fault.hint}; then \`svc-upgrade retry\``,
    causes: [fault.message, back.fault.message],
  };
}

type NotUndone = Cause & { readonly back: Extract<NoRollback, { kind: "failed" }> };

/** Says in one sentence what failed and why it could not be rolled back, because an administrator must know both. */
export function tellNotUndone(notUndone: NotUndone): string {
  return tell(notUndone, short);
}

function tell({ step, fault, back }: NotUndone, cut: (message: string) => string): string {
  return `the step ${step} failed: ${cut(fault.message)}; the rollback failed at the step ${back.step}: ${cut(back.fault.message)}`;
}

/** Half a sentence of the state, so that two faults and the words between them fit. */
const longestOfTwo = 195;

/** Shortens a fault's message so that another fits beside it. */
export function short(message: string): string {
  return quote(message, longestOfTwo);
}
