import { printInstant } from "../window/instant.ts";
import { isInForce } from "./backoff.ts";
import type { Refusal } from "./gate-answer.ts";
import type { Offered, Rejection } from "./gate-facts.ts";
import type { Situation } from "./gate.ts";
import { isHeld } from "./gate-policy.ts";

/** Gate 5: a person is needed. */
export function operatorGate({ facts }: Situation): Refusal | undefined {
  const why = facts.memory.needsOperator?.why;
  return why === undefined ? undefined : { kind: "stay", why: "needs-operator", told: why, lift: "retry" };
}

/** Gate 6: a hold. */
export function holdGate({ facts, policy }: Situation): Refusal | undefined {
  const { hold } = policy;
  if (hold === undefined || !isHeld(hold, facts.now)) return undefined;
  const reason = hold.reason === undefined ? "" : `: ${hold.reason}`;
  if (hold.until === undefined) {
    return { kind: "stay", why: "held", told: `upgrades are on hold${reason}`, lift: "end the hold" };
  }
  const told = `upgrades are on hold until ${printInstant(hold.until)}${reason}`;
  return { kind: "stay", why: "held", told, until: hold.until, lift: "end the hold" };
}

/** Gate 8: the version failed here. */
export function rejectedGate({ facts, policy, target }: Situation): Refusal | undefined {
  const rejection = facts.memory.rejected.find((row) => row.served === target.to && isOffered(row, facts.offered));
  if (rejection === undefined) return undefined;
  const told = `${rejection.artifact} was rejected here on ${printInstant(rejection.at)}: ${rejection.why}`;
  return {
    kind: "stay",
    why: "rejected",
    told,
    lift: policy.pin === undefined ? "another artifact" : "another artifact of the pin",
  };
}

/** Whether the failed build is the offered one, as far as is known. */
function isOffered({ artifact, build }: Rejection, offered: Offered | undefined): boolean {
  if (offered === undefined) return true;
  if (offered.artifact !== artifact) return false;
  return !differs(build?.sha256, offered.build.sha256) && !differs(build?.bytes, offered.build.bytes);
}

function differs<T>(failed: T | undefined, offered: T | undefined): boolean {
  return failed !== undefined && offered !== undefined && failed !== offered;
}

/** Gate 9: a wait after failures. */
export function backoffGate({ facts, policy, target }: Situation): Refusal | undefined {
  const { backoff } = facts.memory;
  if (policy.asked.when === "now" || backoff === undefined || backoff.served !== target.to) return undefined;
  if (!isInForce(backoff, facts.now)) return undefined;
  return {
    kind: "stay",
    why: "backing-off",
    told: `waiting until ${printInstant(backoff.until)} after ${times(backoff.failures)}: ${backoff.cause.message}`,
    until: backoff.until,
    lift: "run now",
  };
}

function times(count: number): string {
  return count === 1 ? "a failure" : `${count} failures`;
}
