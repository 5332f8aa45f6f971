import { current, noVersion, pinned, unconfirmed } from "../../rules/decide/served.ts";
import type { FaultData } from "../../rules/fault/fault.ts";
import type { Decision, Move, Stay, StayReason, Stop } from "./host-decision.ts";
import type { Facts } from "./host-facts.ts";
import { gateFactsOf } from "./gate-facts-of-host.ts";
import { packageHoldGate, passHostGates, repairedInVain, type SaidToStay } from "./host-gates.ts";
import { installAgent, lifts } from "./host-lifts.ts";
import type { Policy } from "./host-policy.ts";
import { isRepairOfInstalled, packageToPutBack, repairOf, targetOf, type Movement } from "./target.ts";

/** Always decides. The target settles the first four gates, which a repair passes; then the first gate that objects wins. */
export function decide(facts: Facts, policy: Policy): Decision {
  const target = targetOf(facts, policy);
  switch (target.kind) {
    case "absent":
      return stop({
        code: "package-absent",
        message: "the agent's package is not installed",
        hint: `install the agent, or let this do it: \`${installAgent}\``,
      });
    case "unreadable":
      return stop({
        code: "package-unreadable",
        message: `the installed package version ${target.packageVersion} holds no semantic version`,
        hint: "see that agent.package names the agent's own package: `svc-upgrade config`",
      });
    case "unanswered":
      return { kind: "stop", fault: target.fault };
    case "no-way-back":
      return stop({
        code: "no-way-back",
        message:
          target.there === undefined
            ? "there is no version to roll back to: nothing was moved here yet, or nothing since the last rollback"
            : `there is no version to roll back to: ${target.there}, which the last move replaced, is installed`,
        hint: "see what the passes did: `svc-upgrade status`; to go forward again: `svc-upgrade retry`, then `svc-upgrade run --now`",
      });
    case "no-version":
      return stayOf(noVersion, facts);
    case "unconfirmed":
      return stayOf(unconfirmed, facts);
    case "current":
      return stayOf(current(target.version), facts);
    case "pinned":
      return stayOf(pinned(target.pin, facts.answer), facts);
    case "install":
    case "upgrade":
    case "downgrade":
    case "repair":
      return namingPin(passGates({ facts, policy, target }), target, policy);
  }
}

/** Adds the pin, because the reason would seem to be about the served version. */
function namingPin<Said extends Stay | Move>(said: Said, target: Movement, { asked, pin }: Policy): Said {
  if (pin === undefined || asked.when === "back" || isRepairOfInstalled(target)) return said;
  return { ...said, told: `${pin.version} is pinned; ${said.told}` };
}

/** A host, what somebody asked of it, and the movement to judge. */
type Case = { readonly facts: Facts; readonly policy: Policy; readonly target: Movement };

/** The gates' verdict on a movement. */
export function passGates({ facts, policy, target }: Case): Stay | Move {
  if (policy.asked.when === "back") return goBack({ facts, policy, target });
  const said = passHostGates({ host: facts, facts: gateFactsOf(facts), policy, target });
  if (said.kind === "stay") return insteadRefused(stayOf(said, facts), facts);
  const exactly = packageToPutBack(target, facts.installed);
  return { ...said, target, ...(exactly === undefined ? {} : { exactly }) };
}

/** The stay if repairs did not help and the served version may not replace the installed one: nothing is left to try. */
function insteadRefused(stay: Stay, facts: Facts): Stay {
  const repair = repairOf(facts);
  if (!refusals.includes(stay.why) || repair === undefined) return stay;
  const told = repairedInVain(facts, repair);
  return told === undefined
    ? stay
    : stayOf({ kind: "stay", why: "needs-operator", told: `${told}; ${stay.told}`, lift: "retry" }, facts);
}

const refusals: readonly StayReason[] = ["rejected", "downgrade-refused", "major-refused"];

/** Judges a rollback that an administrator ordered: only the package manager's hold stops it. */
function goBack({ facts, policy, target }: Case): Stay | Move {
  const held = packageHoldGate({ host: facts, policy });
  if (held !== undefined) return stayOf(held, facts);
  const exactly = facts.memory.previous?.packageVersion;
  return { kind: "move", why: "rollback", told: "a rollback was asked for", target, exactly };
}

function stayOf({ lift, ...said }: SaidToStay, { unhold }: Facts): Stay {
  const release =
    lift === "release the package" && unhold !== undefined ? `\`${unhold}\`, or set \`holds: override\`` : undefined;
  return { ...said, lift: release ?? lifts[lift] };
}

function stop(fault: Omit<FaultData, "causes">): Stop {
  return { kind: "stop", fault: { ...fault, causes: [] } };
}
