import { isBlamed, type Blame } from "../../rules/decide/blamed-failures.ts";
import type { FaultCode } from "../../rules/fault/table.ts";
import type { MoveReason } from "./host-decision.ts";
import type { AgentCondition } from "./host-facts.ts";
import type { Movement } from "./target.ts";

/**
 * Whether the change and its rollback both failed because the file system is read-only. Then neither version is at fault, and nobody has to repair
 * anything: when the file system is writable, a repair completes the half-installed package.
 */
export function isReadOnlyBothWays(change: FaultCode, back: FaultCode): boolean {
  return change === "read-only" && back === "read-only";
}

const blame: Blame<FaultCode> = { always: ["install-failed", "verify-failed"], ifItWasWell: ["activate-failed", "unhealthy"] };

/** A move that failed, and the agent's condition just before the change. */
export type Failing = {
  readonly movement: Movement["kind"];
  readonly code: FaultCode;
  /** Undefined if the move did not get that far, or nobody could look. */
  readonly agentBefore: AgentCondition | undefined;
};

/** Whether the version itself is to blame and is not tried here again. An agent that was ill before proves nothing, and neither does a repair. */
export function isVersionsFault({ movement, code, agentBefore }: Failing): boolean {
  return movement !== "repair" && isBlamed(code, blame, agentBefore === "running" ? "well" : "not known to be well");
}

/** A move that failed while or after the package was changed. */
export type FailedChange = Failing & { readonly reason: MoveReason; readonly isWhole: boolean };

/**
 * Why there is no rollback; undefined if there is one. A half-installed package must be replaced in any case, a whole one only if it is worse than
 * the version before.
 */
export function whyNoRollback({ movement, code, agentBefore, reason, isWhole }: FailedChange): string | undefined {
  if (movement === "install") return "before an installation there is nothing to go back to";
  if (movement === "repair") return "before a repair there is nothing to go back to";
  if (reason === "rollback") return "it was itself a rollback";
  if (!isWhole || isVersionsFault({ movement, code, agentBefore })) return undefined;
  return agentBefore === "running" ? "the version is not to blame" : "the agent was unhealthy before the move either";
}
