import type { ChannelAnswer } from "../../rules/decide/gate-facts.ts";
import { compareVersions, type Version } from "../../rules/version/version.ts";
import { isOfVersion, wrappedVersion, type PackageVersion } from "../../rules/version/wrapped.ts";
import type { Schedule } from "../../rules/window/schedule.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { passGates } from "./decide-host.ts";
import type { MoveReason } from "./host-decision.ts";
import { noMemory, type Facts, type InstalledPackage } from "./host-facts.ts";
import type { Policy } from "./host-policy.ts";
import { isRepairOfInstalled, type Movement } from "./target.ts";
import { unhealthyPassesForRescue } from "./gate-facts-of-host.ts";

/** What the acting unit knows of a move: the version and the reason. */
export type FirstChange = {
  readonly to: PackageVersion;
  /** The deciding unit's reason: only it knows whether an update is critical or the agent is ill. */
  readonly why: MoveReason;
  readonly installed: InstalledPackage;
  readonly schedule: Schedule;
  readonly now: UnixSeconds;
  /** The version before the last move, if known. */
  readonly previous: PackageVersion | undefined;
};

/** Why the move may not begin, in words; undefined if it may. Asks only the gates that need no memory; the deciding unit asks all. */
export function refusalOf(change: FirstChange, policy: Policy): string | undefined {
  const to = wrappedVersion(change.to);
  if (to === undefined) return `${change.to} holds no semantic version`;
  if (change.installed.kind === "absent" && policy.asked.absent === "stop")
    return "the package is not installed, and nobody asked for that";
  const target = movementTo(to, change);
  const astray = policy.asked.when === "back" ? whyNoRollback(to, change) : whyNotPinned(target, policy);
  if (astray !== undefined) return astray;
  const decision = passGates({ facts: factsOf(change, to), policy, target });
  return decision.kind === "move" ? undefined : decision.told;
}

function whyNoRollback(to: Version, { to: asked, previous }: FirstChange): string | undefined {
  if (previous === undefined) return "no move is known that a rollback could undo";
  return isOfVersion(previous, to) ? undefined : `the last move came from ${previous}, not from ${asked}`;
}

/** Refuses another version than the pinned one: an attacker may control the deciding unit, and can then only repair or move to the pin. */
function whyNotPinned(target: Movement, { pin }: Policy): string | undefined {
  if (pin === undefined || isRepairOfInstalled(target) || compareVersions(target.to, pin.version) === 0) return undefined;
  return `${pin.version} is pinned`;
}

function movementTo(to: Version, { installed }: FirstChange): Movement {
  if (installed.kind === "absent") return { kind: "install", to };
  const from = installed.version;
  const order = from === undefined ? 0 : compareVersions(from, to);
  if (from === undefined || order === 0) return { kind: "repair", from, to, why: "it is to be installed once more" };
  return { kind: order < 0 ? "upgrade" : "downgrade", from, to };
}

function factsOf({ why, installed, schedule, now }: FirstChange, to: Version): Facts {
  const answer: ChannelAnswer = { kind: "served", served: { kind: "version", version: to }, isCritical: why === "critical" };
  const isIll = why === "rescue";
  return {
    now,
    clock: { kind: "plausible" },
    installed,
    binary: { kind: "not-asked" },
    answer,
    offered: undefined,
    schedule,
    agent: isIll ? "unhealthy" : "unknown",
    memory: { ...noMemory, unhealthyPasses: isIll ? unhealthyPassesForRescue : 0 },
  };
}
