import { printInstant } from "../window/instant.ts";
import { alternatingGate } from "./alternating-gate.ts";
import { isInForce } from "./backoff.ts";
import type { Gate, Passage, Situation } from "./gate.ts";
import type { Facts, Offered, Rejection } from "./facts.ts";
import { isHeld } from "./policy.ts";
import { isHopeless } from "./repairs.ts";
import { crossesMajors, isRepairOfInstalled, type Movement } from "./target.ts";

/** Gates 5 to 10 of the design's table, in its order: what is known of this host and this version, whatever the time. */
export const hostGates: readonly Gate[] = [
  operatorGate,
  holdGate,
  packageHoldGate,
  rejectedGate,
  backoffGate,
  directionGate,
  alternatingGate,
];

function operatorGate({ facts, target }: Situation): Passage | undefined {
  const why = facts.memory.needsOperator?.why ?? repairedInVain(facts, target);
  if (why === undefined) return undefined;
  return { kind: "stay", why: "needs-operator", told: why, lift: "svc-upgrade retry" };
}

/** Another served version would have taken the place of the repair. */
export function repairedInVain({ memory: { repairs } }: Facts, target: Movement): string | undefined {
  if (!isRepairOfInstalled(target) || !isHopeless(repairs, target.from)) return undefined;
  return `${repairs.attempts} repairs of ${target.from} did not help: ${target.why}`;
}

function holdGate({ facts, policy }: Situation): Passage | undefined {
  const { hold } = policy;
  if (hold === undefined || !isHeld(hold, facts.now)) return undefined;
  const reason = hold.reason === undefined ? "" : `: ${hold.reason}`;
  if (hold.until === undefined) {
    return { kind: "stay", why: "held", told: `upgrades are on hold${reason}`, lift: "svc-upgrade unhold" };
  }
  const told = `upgrades are on hold until ${printInstant(hold.until)}${reason}`;
  return { kind: "stay", why: "held", told, until: hold.until, lift: "svc-upgrade unhold" };
}

export function packageHoldGate({ facts, policy }: Situation): Passage | undefined {
  if (facts.installed.kind === "absent" || !facts.installed.isHeld || policy.holds === "override") return undefined;
  return {
    kind: "stay",
    why: "package-held",
    told: "the package manager holds the package at its version",
    lift: "release the package's hold in the package manager, or set holds: override",
  };
}

function rejectedGate({ facts, target }: Situation): Passage | undefined {
  // What runs here is put back as it is, whatever is held against it: without it the host would have no agent at all.
  if (isRepairOfInstalled(target)) return undefined;
  const rejection = facts.memory.rejected.find((row) => row.served === target.to && isOffered(row, facts.offered));
  if (rejection === undefined) return undefined;
  return {
    kind: "stay",
    why: "rejected",
    told: `${rejection.packageVersion} was rejected here on ${printInstant(rejection.at)}: ${rejection.why}`,
    lift: "a newer version is served and does well here, another package of this version is offered, or svc-upgrade retry",
  };
}

/** Whether the package that failed is what would be installed; as far as can be told, it is. */
function isOffered({ packageVersion, build }: Rejection, offered: Offered | undefined): boolean {
  if (offered === undefined) return true;
  if (offered.packageVersion !== packageVersion) return false;
  return !differs(build?.sha256, offered.build.sha256) && !differs(build?.bytes, offered.build.bytes);
}

function differs<T>(failed: T | undefined, offered: T | undefined): boolean {
  return failed !== undefined && offered !== undefined && failed !== offered;
}

function backoffGate({ facts, policy, target }: Situation): Passage | undefined {
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

function directionGate({ policy, target }: Situation): Passage | undefined {
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
