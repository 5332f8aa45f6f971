import { alternatingGate } from "../../rules/decide/alternating-gate.ts";
import type { LetThrough, Refusal } from "../../rules/decide/gate-answer.ts";
import { firstOf, type Gate, type Situation } from "../../rules/decide/gate.ts";
import { backoffGate, holdGate, operatorGate, rejectedGate } from "../../rules/decide/held-and-rejected-gates.ts";
import { directionGate } from "../../rules/decide/downgrade-gate.ts";
import { askedGate, blackoutGate, clockGate, criticalGate, scheduleGate } from "../../rules/decide/time-gates.ts";
import type { MoveReason, StayReason } from "./host-decision.ts";
import type { Facts } from "./host-facts.ts";
import type { lifts } from "./host-lifts.ts";
import type { Policy } from "./host-policy.ts";
import { isHopeless, isRepairOfInstalled, type Movement } from "./target.ts";

/** What a host's gates judge: the facts that other programs have too, and the host's own. */
export type HostCase = Situation & { readonly host: Facts; readonly policy: Policy; readonly target: Movement };

export type SaidToStay = Omit<Refusal<StayReason>, "lift"> & { readonly lift: keyof typeof lifts };

export type Said = SaidToStay | (Omit<LetThrough, "why"> & { readonly why: MoveReason });

type HostGate = Gate<HostCase, Said>;

/** Gates 5 to 15 of ARCHITECTURE's gate table, in order: first what is known of the host and the version, then whether now is the time. */
const gates: readonly HostGate[] = [
  operatorGate,
  repairedInVainGate,
  holdGate,
  packageHoldGate,
  butForRepairs(rejectedGate),
  backoffGate,
  directionGate,
  alternatingGate,
  askedGate,
  neverGate,
  criticalGate,
  clockGate,
  blackoutGate,
];

/** The first gate that objects to a movement wins. */
export function passHostGates(one: HostCase): Said {
  return firstOf(gates, scheduleGate, one);
}

/** Wraps a gate that lets repairs through: without one the host would have no agent. */
function butForRepairs(gate: Gate): HostGate {
  return (one) => (isRepairOfInstalled(one.target) ? undefined : gate(one));
}

function repairedInVainGate({ host, target }: HostCase): Said | undefined {
  const told = repairedInVain(host, target);
  return told === undefined ? undefined : { kind: "stay", why: "needs-operator", told, lift: "retry" };
}

/** Why another repair is useless. If another served version could replace this one, it would be the target. */
export function repairedInVain({ memory: { repairs } }: Facts, target: Movement): string | undefined {
  if (!isRepairOfInstalled(target) || !isHopeless(repairs, target.from)) return undefined;
  return `${repairs.attempts} repairs of ${target.from} did not help: ${target.why}`;
}

/** Gate 7: the package manager's hold. */
export function packageHoldGate({ host: { installed }, policy }: Pick<HostCase, "host" | "policy">): SaidToStay | undefined {
  if (!installed.isHeld || policy.holds === "override") return undefined;
  const told = "the package manager holds the package at its version";
  return { kind: "stay", why: "package-held", told, lift: "release the package" };
}

/** Gate 12: never without a schedule. */
function neverGate({ host: { schedule }, policy }: HostCase): Said | undefined {
  if (schedule.kind !== "never" || policy.window !== undefined) return undefined;
  return { kind: "stay", why: "never", told: "the schedule says never", lift: "another schedule" };
}
