import { printInstant } from "../window/instant.ts";
import { isInForce } from "./backoff.ts";
import type { Decision } from "./decision.ts";
import type { Gate, Situation } from "./gate.ts";
import { isHeld } from "./policy.ts";
import { crossesMajors } from "./target.ts";

/** Gates 5 to 10 of the design's table, in its order: what is known of this host and this version, whatever the time. */
export const hostGates: readonly Gate[] = [operatorGate, holdGate, packageHoldGate, rejectedGate, backoffGate, directionGate];

function operatorGate({ facts }: Situation): Decision | undefined {
  const need = facts.memory.needsOperator;
  if (need === undefined) return undefined;
  return { kind: "stay", why: "needs-operator", told: need.why, lift: "svc-upgrade retry" };
}

function holdGate({ facts, policy }: Situation): Decision | undefined {
  const { hold } = policy;
  if (hold === undefined || !isHeld(hold, facts.now)) return undefined;
  const reason = hold.reason === undefined ? "" : `: ${hold.reason}`;
  if (hold.until === undefined) {
    return { kind: "stay", why: "held", told: `upgrades are on hold${reason}`, lift: "svc-upgrade unhold" };
  }
  const told = `upgrades are on hold until ${printInstant(hold.until)}${reason}`;
  return { kind: "stay", why: "held", told, until: hold.until, lift: "svc-upgrade unhold" };
}

export function packageHoldGate({ facts, policy }: Situation): Decision | undefined {
  if (facts.installed.kind === "absent" || !facts.installed.isHeld || policy.holds === "override") return undefined;
  return {
    kind: "stay",
    why: "package-held",
    told: "the package manager holds the package at its version",
    lift: "release the package's hold in the package manager, or set holds: override",
  };
}

function rejectedGate({ facts, target }: Situation): Decision | undefined {
  const rejection = facts.memory.rejected.find(
    (row) => row.served === target.to && (facts.offered === undefined || facts.offered === row.packageVersion),
  );
  if (rejection === undefined) return undefined;
  return {
    kind: "stay",
    why: "rejected",
    told: `${rejection.packageVersion} was rejected here on ${printInstant(rejection.at)}: ${rejection.why}`,
    lift: "the cluster serves another version, or svc-upgrade retry",
  };
}

function backoffGate({ facts, policy, target }: Situation): Decision | undefined {
  const { backoff } = facts.memory;
  if (policy.asked.when === "now" || backoff === undefined || backoff.served !== target.to) return undefined;
  if (!isInForce(backoff, facts.now)) return undefined;
  return {
    kind: "stay",
    why: "backing-off",
    told: `waiting until ${printInstant(backoff.until)} after ${times(backoff.failures)}: ${backoff.cause.message}`,
    until: backoff.until,
    lift: "svc-upgrade run --now",
  };
}

function directionGate({ policy, target }: Situation): Decision | undefined {
  if (target.kind === "downgrade" && policy.downgrade === "refuse") {
    return {
      kind: "stay",
      why: "downgrade-refused",
      told: `the channel serves ${target.to}, older than the installed ${target.from}`,
      lift: "set downgrade: allow",
    };
  }
  if (target.kind === "upgrade" && policy.major === "one-step" && crossesMajors(target.from, target.to)) {
    return {
      kind: "stay",
      why: "major-refused",
      told: `${target.from} to ${target.to} is more than one major version`,
      lift: "upgrade to the next major version by hand, or set major: any",
    };
  }
  return undefined;
}

function times(count: number): string {
  return count === 1 ? "a failure" : `${count} failures`;
}
