import type { FaultData } from "../fault/fault.ts";
import type { Decision, StayReason, Stop } from "./decision.ts";
import type { Facts } from "./facts.ts";
import type { Passage, Situation } from "./gate.ts";
import { hostGates, packageHoldGate, repairedInVain } from "./host-gates.ts";
import type { Policy } from "./policy.ts";
import { packageToPutBack, repairOf, targetOf } from "./target.ts";
import { scheduleGate, timeGates } from "./time-gates.ts";

/**
 * Total: whatever the facts, one decision. The target settles the first four gates, which a repair passes; then the first gate
 * that speaks wins.
 */
export function decide(facts: Facts, policy: Policy): Decision {
  const target = targetOf(facts, policy);
  switch (target.kind) {
    case "absent":
      return stop({
        code: "package-absent",
        message: "the agent's package is not installed",
        hint: "install the agent, or let this do it: svc-upgrade run --install",
      });
    case "unreadable":
      return stop({
        code: "package-unreadable",
        message: `the installed package version ${target.packageVersion} holds no semantic version`,
        hint: "see that agent.package names the agent's own package: svc-upgrade config",
      });
    case "unanswered":
      return { kind: "stop", fault: target.fault };
    case "no-way-back":
      return stop({
        code: "no-way-back",
        message:
          target.there === undefined
            ? "there is no earlier version to go back to: nothing was moved here yet, or nothing since the last way back"
            : `there is no earlier version to go back to: ${target.there}, which the last move left, is installed`,
        hint: "see what the passes did: svc-upgrade status; to go forward again: svc-upgrade retry, then svc-upgrade run --now",
      });
    case "no-version":
      return {
        kind: "stay",
        why: "no-version",
        told: "the channel serves no version at present",
        lift: "the cluster serves a version",
      };
    case "current":
      return {
        kind: "stay",
        why: "current",
        told: `${target.version} is the version served`,
        lift: "the cluster serves another version",
      };
    case "install":
    case "upgrade":
    case "downgrade":
    case "repair":
      return passGates({ facts, policy, target });
  }
}

/** The first gate that speaks to a movement wins. */
export function passGates(situation: Situation): Passage {
  if (situation.policy.asked.when === "back") return goBack(situation);
  for (const gate of [...hostGates, ...timeGates]) {
    const decision = gate(situation);
    if (decision !== undefined) return puttingBack(insteadRefused(decision, situation), situation);
  }
  return puttingBack(scheduleGate(situation), situation);
}

/** Where repairs did not help and the served version may not take the place of the installed one, nothing is left to try. */
function insteadRefused(decision: Passage, { facts }: Situation): Passage {
  const repair = repairOf(facts);
  if (decision.kind !== "stay" || !refusals.includes(decision.why) || repair === undefined) return decision;
  const told = repairedInVain(facts, repair);
  if (told === undefined) return decision;
  return { kind: "stay", why: "needs-operator", told: `${told}; ${decision.told}`, lift: "svc-upgrade retry" };
}

const refusals: readonly StayReason[] = ["rejected", "downgrade-refused", "major-refused"];

function puttingBack(decision: Passage, { facts, target }: Situation): Passage {
  const exactly = decision.kind === "move" ? packageToPutBack(target, facts.installed) : undefined;
  return decision.kind === "move" && exactly !== undefined ? { ...decision, exactly } : decision;
}

/** An administrator's own decision: only what the package manager holds is held. */
function goBack(situation: Situation): Passage {
  const { facts, target } = situation;
  const stays = packageHoldGate(situation);
  if (stays !== undefined) return stays;
  const exactly = facts.memory.previous?.packageVersion;
  return { kind: "move", why: "rollback", told: "the way back was asked for", target, exactly };
}

function stop(fault: Omit<FaultData, "causes">): Stop {
  return { kind: "stop", fault: { ...fault, causes: [] } };
}
