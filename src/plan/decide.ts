import { healsByItself } from "../fault/explain.ts";
import type { FaultData } from "../fault/fault.ts";
import { printInstant } from "../window/instant.ts";
import { openingAt, type UnixSeconds, type Window } from "../window/window.ts";
import { weeklyWindows } from "../window/weekly.ts";
import type { Facts } from "./facts.ts";
import type { Policy } from "./policy.ts";
import { crossesMajors, targetOf, type Movement } from "./target.ts";

export type StayReason =
  | "no-version"
  | "current"
  | "needs-operator"
  | "held"
  | "package-held"
  | "rejected"
  | "backing-off"
  | "downgrade-refused"
  | "major-refused"
  | "never"
  | "clock"
  | "blackout"
  | "window-too-short"
  | "outside-window"
  | "schedule-missing"
  | "schedule-empty"
  | "schedule-invalid"
  | "schedule-stale";

export type MoveReason = "asked" | "critical" | "window" | "rescue" | "anytime";

export type Stay = {
  readonly kind: "stay";
  readonly why: StayReason;
  /** The reason in words, for people. */
  readonly told: string;
  /** When it ends by itself. */
  readonly until?: UnixSeconds;
  /** What lifts it, where time alone does not. */
  readonly lift?: string;
};

export type Move = {
  readonly kind: "move";
  readonly why: MoveReason;
  readonly told: string;
  readonly target: Movement;
};

export type Stop = { readonly kind: "stop"; readonly fault: FaultData };

export type Decision = Stay | Move | Stop;

type Situation = { readonly facts: Facts; readonly policy: Policy; readonly target: Movement };

/** A pass that started in a window must be able to end in it: at least this long. */
const leastNeededSeconds = 600;
/** A window lasts an hour and the timer needs up to a quarter of it to come round: never ask for more than the rest. */
const mostNeededSeconds = 2700;
const passesRemembered = 5;
/** One bad reading may be a restart seen half-way; two in a row are an illness. */
const unhealthyPassesForRescue = 2;

/** Total: whatever the facts, one decision. The target settles the first four gates; then the first gate that speaks wins. */
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

function passGates(situation: Situation): Decision {
  for (const gate of gates) {
    const decision = gate(situation);
    if (decision !== undefined) return decision;
  }
  return scheduleGate(situation);
}

type Gate = (situation: Situation) => Decision | undefined;

/** Gates 5 to 16 of the design's table, in its order; those after `askedGate` concern only the time. */
const gates: readonly Gate[] = [
  operatorGate,
  holdGate,
  packageHoldGate,
  rejectedGate,
  backoffGate,
  directionGate,
  askedGate,
  neverGate,
  criticalGate,
  clockGate,
  blackoutGate,
  windowGate,
];

function operatorGate({ facts }: Situation): Decision | undefined {
  const need = facts.memory.needsOperator;
  if (need === undefined) return undefined;
  return { kind: "stay", why: "needs-operator", told: need.why, lift: "svc-upgrade retry" };
}

function holdGate({ facts, policy }: Situation): Decision | undefined {
  const { hold } = policy;
  if (hold === undefined || (hold.until !== undefined && facts.now >= hold.until)) return undefined;
  const reason = hold.reason === undefined ? "" : `: ${hold.reason}`;
  if (hold.until === undefined) {
    return { kind: "stay", why: "held", told: `upgrades are on hold${reason}`, lift: "svc-upgrade unhold" };
  }
  const told = `upgrades are on hold until ${printInstant(hold.until)}${reason}`;
  return { kind: "stay", why: "held", told, until: hold.until, lift: "svc-upgrade unhold" };
}

function packageHoldGate({ facts, policy }: Situation): Decision | undefined {
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
    told: `${rejection.packageVersion} failed here on ${printInstant(rejection.at)}: ${rejection.why}`,
    lift: "the cluster serves another version, or svc-upgrade retry",
  };
}

function backoffGate({ facts, policy, target }: Situation): Decision | undefined {
  const { backoff } = facts.memory;
  if (policy.asked.when === "now" || backoff === undefined) return undefined;
  if (backoff.served !== target.to || facts.now >= backoff.until) return undefined;
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

function askedGate({ policy, target }: Situation): Decision | undefined {
  return policy.asked.when === "now" ? move("asked", "it was asked for", target) : undefined;
}

function neverGate({ facts, policy }: Situation): Decision | undefined {
  if (facts.schedule.kind !== "never" || policy.window !== undefined) return undefined;
  return {
    kind: "stay",
    why: "never",
    told: "the schedule says never",
    lift: "the agent exports another schedule, or svc-upgrade run --now",
  };
}

function criticalGate({ facts, target }: Situation): Decision | undefined {
  if (facts.answer.kind !== "served" || !facts.answer.isCritical || target.kind !== "upgrade") return undefined;
  return move("critical", "the update is critical", target);
}

function clockGate({ facts }: Situation): Decision | undefined {
  if (facts.clock.kind !== "wrong") return undefined;
  return {
    kind: "stay",
    why: "clock",
    told: `the clock says ${printInstant(facts.now)} and is wrong: ${facts.clock.why}`,
    lift: "set the clock, for example with timedatectl set-ntp true",
  };
}

function blackoutGate({ facts, policy }: Situation): Decision | undefined {
  const opening = openingAt(
    policy.blackouts.map(({ from, to }) => ({ start: from, stop: to })),
    facts.now,
  );
  if (opening.kind === "closed") return undefined;
  const reason = policy.blackouts.find(({ from, to }) => from <= facts.now && facts.now < to)?.reason;
  const told = `a blackout lasts until ${printInstant(opening.until)}${reason === undefined ? "" : `: ${reason}`}`;
  return { kind: "stay", why: "blackout", told, until: opening.until, lift: "svc-upgrade run --now" };
}

function windowGate({ facts, policy, target }: Situation): Decision | undefined {
  const windows = windowsOf(facts, policy);
  if (windows === undefined) return undefined;
  const opening = openingAt(windows, facts.now);
  if (opening.kind === "closed") return outsideWindow(opening.opensAt);
  const needed = neededSeconds(facts.memory.moveSeconds);
  if (opening.until - facts.now >= needed) {
    return move("window", `the maintenance window is open until ${printInstant(opening.until)}`, target);
  }
  const next = openingAt(windows, opening.until);
  return {
    kind: "stay",
    why: "window-too-short",
    told: `the maintenance window closes at ${printInstant(opening.until)}, and a pass may need ${Math.ceil(needed / 60)} minutes`,
    ...untilOpening(next.kind === "closed" ? next.opensAt : opening.until),
  };
}

function outsideWindow(opensAt: UnixSeconds | undefined): Decision {
  const when = opensAt === undefined ? "" : `, the next one opens at ${printInstant(opensAt)}`;
  return { kind: "stay", why: "outside-window", told: `outside the maintenance window${when}`, ...untilOpening(opensAt) };
}

function untilOpening(opensAt: UnixSeconds | undefined): Pick<Stay, "until" | "lift"> {
  return opensAt === undefined ? { lift: "svc-upgrade run --now" } : { until: opensAt, lift: "svc-upgrade run --now" };
}

/** The local window beats the file; undefined where there is neither. */
function windowsOf(facts: Facts, policy: Policy): readonly Window[] | undefined {
  if (policy.window !== undefined) return weeklyWindows(policy.window, facts.now);
  return facts.schedule.kind === "windows" ? facts.schedule.windows : undefined;
}

function scheduleGate({ facts, policy, target }: Situation): Decision {
  const fault = scheduleFault(facts.schedule);
  if (policy.unscheduled === "anytime") return move("anytime", `${fault.told}, and unscheduled: anytime allows it`, target);
  if (policy.unscheduled === "rescue" && needsRescue(facts, target)) {
    return move("rescue", `${fault.told}, but the agent is unhealthy, and the served version may mend it`, target);
  }
  return {
    kind: "stay",
    why: fault.why,
    told: fault.told,
    lift: "the agent exports a schedule, or set a window, or svc-upgrade run --now",
  };
}

function needsRescue(facts: Facts, target: Movement): boolean {
  const isIll = facts.agent === "unhealthy" && facts.memory.unhealthyPasses >= unhealthyPassesForRescue;
  return isIll && facts.memory.rescuedFor !== target.to;
}

function scheduleFault(schedule: Facts["schedule"]): { readonly why: StayReason; readonly told: string } {
  switch (schedule.kind) {
    case "empty":
      return { why: "schedule-empty", told: "no valid schedule: the file is empty" };
    case "invalid":
      return {
        why: "schedule-invalid",
        told: `no valid schedule: line ${schedule.line} reads "${schedule.text}": ${schedule.why}`,
      };
    case "stale":
      return { why: "schedule-stale", told: `no valid schedule: its last window ended at ${printInstant(schedule.endedAt)}` };
    case "missing":
    case "never":
    case "windows":
      // The gates before this one have dealt with `never` and `windows`.
      return { why: "schedule-missing", told: "no valid schedule: the file is missing" };
  }
}

function neededSeconds(moveSeconds: readonly number[]): number {
  const longest = Math.max(0, ...moveSeconds.slice(0, passesRemembered));
  return Math.min(mostNeededSeconds, Math.max(leastNeededSeconds, 2 * longest));
}

function move(why: MoveReason, told: string, target: Movement): Move {
  return { kind: "move", why, told, target };
}

function stop(fault: Omit<FaultData, "causes">): Stop {
  return { kind: "stop", fault: { ...fault, causes: [] } };
}

function times(count: number): string {
  return count === 1 ? "a failure" : `${count} failures`;
}

/** Whether the timer alone mends what this decision says. */
export function isTransient(decision: Decision): boolean {
  return decision.kind === "stop" && healsByItself(decision.fault.code);
}
