import { unsettledIn } from "../channel/alternating.ts";
import { alternationSeconds } from "../channel/heard.ts";
import { printInstant } from "../window/instant.ts";
import type { Refusal } from "./gate-answer.ts";
import type { Situation } from "./gate.ts";

/**
 * Runs after gate 10. If downgrades are allowed, an alternating version would move the agent to and fro. So this waits until the version has been the
 * only one for six hours or, if the agent was moved away from it, until that is six hours ago. A version with a higher decision number does not
 * alternate, because the cluster decided it.
 */
export function alternatingGate({ facts, policy, target }: Situation): Refusal | undefined {
  // A pin is one version, whatever the channel serves.
  if (policy.pin !== undefined) return undefined;
  if (policy.downgrade !== "allow" || (target.kind !== "upgrade" && target.kind !== "downgrade")) return undefined;
  const { now, installed } = facts;
  const { heard, previous, rejected } = facts.memory;
  // The installed version failed here, so leaving it is no alternation.
  if (installed !== undefined && rejected.some((row) => row.artifact === installed)) return undefined;
  const [last] = heard.versions;
  if (last?.version === target.to && last.came === "decided") return undefined;
  // A pin may have led the agent away from the version. Without the pin, the host then follows the channel at once.
  const isLeft = previous?.version === target.to && previous.isPinLed !== true;
  const leftUntil = isLeft ? previous.leftAt + alternationSeconds : undefined;
  if (previous !== undefined && leftUntil !== undefined && previous.leftAt <= now && now < leftUntil) {
    return {
      kind: "stay",
      why: "alternating",
      told: `the agent was moved from ${target.to} at ${printInstant(previous.leftAt)}, and goes back at ${printInstant(leftUntil)} at the earliest`,
      until: leftUntil,
      lift: "roll back",
    };
  }
  const unsettled = unsettledIn(heard, target.to, now);
  if (unsettled === undefined) return undefined;
  return {
    kind: "stay",
    why: "alternating",
    told: `the channel serves ${target.to} and ${unsettled.other} in turn; the agent moves once ${target.to} has been the only one until ${printInstant(unsettled.until)}`,
    until: unsettled.until,
    lift: "retry",
  };
}
