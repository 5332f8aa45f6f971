import { printInstant } from "../window/instant.ts";
import type { Schedule } from "../window/schedule.ts";
import { weeklyWindows } from "../window/weekly.ts";
import { openingAfter, openingAt, type UnixSeconds, type Window } from "../window/window.ts";
import type { Move, MoveReason, Stay, StayReason } from "./decision.ts";
import type { Facts } from "./facts.ts";
import type { Gate, Passage, Situation } from "./gate.ts";
import type { Policy } from "./policy.ts";
import type { Movement } from "./target.ts";
import { urgencyOf } from "./urgency.ts";

/** A pass that started in a window must be able to end in it: at least this long. */
const leastNeededSeconds = 600;
/** A window lasts an hour and the timer needs up to a quarter of it to come round: never ask for more than the rest. */
const mostNeededSeconds = 2700;
const passesRemembered = 5;
/** One bad reading may be a restart seen half-way; two in a row are an illness. */
export const unhealthyPassesForRescue = 2;

/** Gates 11 to 16 of the design's table, in its order: whether now is the time. */
export const timeGates: readonly Gate[] = [askedGate, neverGate, criticalGate, clockGate, blackoutGate, windowGate];

function askedGate({ policy, target }: Situation): Passage | undefined {
  return policy.asked.when === "now" ? move("asked", "it was asked for", target) : undefined;
}

function neverGate({ facts, policy }: Situation): Passage | undefined {
  if (facts.schedule.kind !== "never" || policy.window !== undefined) return undefined;
  return {
    kind: "stay",
    why: "never",
    told: "the schedule says never",
    lift: "the agent exports another schedule, or svc-upgrade run --now",
  };
}

function criticalGate({ facts, target }: Situation): Passage | undefined {
  if (target.kind !== "upgrade" || urgencyOf(facts).kind !== "counts") return undefined;
  return move("critical", "the update is critical", target);
}

function clockGate({ facts }: Situation): Passage | undefined {
  if (facts.clock.kind !== "wrong") return undefined;
  return {
    kind: "stay",
    why: "clock",
    told: `the clock says ${printInstant(facts.now)} and is wrong: ${facts.clock.why}`,
    lift: "set the clock, for example with timedatectl set-ntp true",
  };
}

function blackoutGate({ facts, policy }: Situation): Passage | undefined {
  const opening = openingAt(
    policy.blackouts.map(({ from, to }) => ({ start: from, stop: to })),
    facts.now,
  );
  if (opening.kind === "closed") return undefined;
  const reason = policy.blackouts.find(({ from, to }) => from <= facts.now && facts.now < to)?.reason;
  const told = `a blackout lasts until ${printInstant(opening.until)}${reason === undefined ? "" : `: ${reason}`}`;
  return { kind: "stay", why: "blackout", told, until: opening.until, lift: "svc-upgrade run --now" };
}

function windowGate({ facts, policy, target }: Situation): Passage | undefined {
  const windows = windowsOf(facts.schedule, policy.window, facts.now);
  if (windows === undefined) return undefined;
  const opening = openingAt(windows, facts.now);
  if (opening.kind === "closed") return outsideWindow(opening.opensAt);
  const needed = neededSeconds(facts.memory.moveSeconds);
  if (opening.until - facts.now >= needed) {
    const told = `the maintenance window is open until ${printInstant(opening.until)}`;
    return { ...move("window", told, target), until: opening.until - needed };
  }
  return {
    kind: "stay",
    why: "window-too-short",
    told: `the maintenance window closes at ${printInstant(opening.until)}, and a pass may need ${Math.ceil(needed / 60)} minutes`,
    ...untilOpening(openingAfter(windows, opening.until)),
  };
}

function outsideWindow(opensAt: UnixSeconds | undefined): Passage {
  const when = opensAt === undefined ? "" : `, the next one opens at ${printInstant(opensAt)}`;
  return { kind: "stay", why: "outside-window", told: `outside the maintenance window${when}`, ...untilOpening(opensAt) };
}

function untilOpening(opensAt: UnixSeconds | undefined): Pick<Stay, "until" | "lift"> {
  return opensAt === undefined ? { lift: "svc-upgrade run --now" } : { until: opensAt, lift: "svc-upgrade run --now" };
}

/** The local window beats the file; undefined where there is neither. */
export function windowsOf(schedule: Schedule, window: Policy["window"], now: UnixSeconds): readonly Window[] | undefined {
  if (window !== undefined) return weeklyWindows(window, now);
  return schedule.kind === "windows" ? schedule.windows : undefined;
}

/** Gate 17: there is no valid schedule. The last one, so it always speaks. */
export function scheduleGate({ facts, policy, target }: Situation): Passage {
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
        // Line 0: it is the file that is wrong, not a line in it.
        told: `no valid schedule: ${schedule.line === 0 ? "" : `line ${schedule.line} reads "${schedule.text}": `}${schedule.why}`,
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
