import { isBlamed, type Blame } from "../../rules/decide/blamed-failures.ts";
import type { FaultCode } from "../../rules/fault/table.ts";
import type { MoveReason } from "./host-decision.ts";
import type { AgentCondition } from "./host-facts.ts";
import type { Movement } from "./target.ts";

/**
 * Whether neither the change nor its rollback could write, because the file system is read-only: no fault of either version, and
 * nothing that a person must repair first. As soon as it is writable, a repair repairs what is half installed.
 */
export function isReadOnlyBothWays(change: FaultCode, back: FaultCode): boolean {
  return change === "read-only" && back === "read-only";
}

const blame: Blame<FaultCode> = { always: ["install-failed", "verify-failed"], ifItWasWell: ["activate-failed", "unhealthy"] };

/** A move that failed, and how the agent was just before the package was changed. */
export type Failing = {
  readonly movement: Movement["kind"];
  readonly code: FaultCode;
  /** Undefined: it did not come so far, or nobody could look. */
  readonly agentBefore: AgentCondition | undefined;
};

/**
 * Whether the version itself is to blame: then it is not tried again here. An agent that was ill before, or of which nothing is
 * known, proves nothing against a version; and what a repair finds broken was broken before.
 */
export function isVersionsFault({ movement, code, agentBefore }: Failing): boolean {
  return movement !== "repair" && isBlamed(code, blame, agentBefore === "running" ? "well" : "not known to be well");
}

/** A move that failed once the package was being changed. */
export type FailedChange = Failing & { readonly reason: MoveReason; readonly isWhole: boolean };

/**
 * Why the version before does not come back; undefined: it does. A half-installed package must be replaced whoever is to blame; one
 * that is whole only if it is worse than the one before.
 */
export function whyNoRollback({ movement, code, agentBefore, reason, isWhole }: FailedChange): string | undefined {
  if (movement === "install") return "before an installation there is nothing to go back to";
  if (movement === "repair") return "before a repair there is nothing to go back to";
  if (reason === "rollback") return "it was itself a rollback";
  if (!isWhole || isVersionsFault({ movement, code, agentBefore })) return undefined;
  return agentBefore === "running" ? "the version is not to blame" : "the agent was unhealthy before the move either";
}
