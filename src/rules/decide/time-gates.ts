import { printInstant } from "../window/instant.ts";
import { ownWindowsAt } from "../window/own.ts";
import { openingAfter, openingAt, type UnixSeconds, type Window } from "../window/window.ts";
import type { CommonMoveReason, LetThrough, Refusal } from "./gate-answer.ts";
import type { GateFacts, KnownSchedule, NoSchedule } from "./gate-facts.ts";
import type { Situation } from "./gate.ts";
import type { GatePolicy, MoveTakes } from "./gate-policy.ts";
import { urgencyOf } from "./urgency.ts";

const movesRemembered = 5;

/** Gate 11: a person asked for the move. */
export function askedGate({ policy }: Situation): LetThrough | undefined {
  return policy.asked.when === "now" ? pass("asked", "it was asked for") : undefined;
}

/** Gate 13: a critical update. What a channel calls critical is its own version, never a pinned one. */
export function criticalGate({ facts, policy, target }: Situation): LetThrough | undefined {
  if (policy.pin !== undefined || target.kind !== "upgrade" || urgencyOf(facts).kind !== "counts") return undefined;
  return pass("critical", "the update is critical");
}

/** Gate 14: a wrong clock. */
export function clockGate({ facts }: Situation): Refusal | undefined {
  if (facts.clock.kind !== "wrong") return undefined;
  const told = `the clock says ${printInstant(facts.now)} and is wrong: ${facts.clock.why}`;
  return { kind: "stay", why: "clock", told, lift: "set the clock" };
}

/** Gate 15: a blackout. */
export function blackoutGate({ facts, policy }: Situation): Refusal | undefined {
  const opening = openingAt(
    policy.blackouts.map(({ from, to }) => ({ start: from, stop: to })),
    facts.now,
  );
  if (opening.kind === "closed") return undefined;
  const reason = policy.blackouts.find(({ from, to }) => from <= facts.now && facts.now < to)?.reason;
  const told = `a blackout lasts until ${printInstant(opening.until)}${reason === undefined ? "" : `: ${reason}`}`;
  return { kind: "stay", why: "blackout", told, until: opening.until, lift: "run now" };
}

/** Gate 16, and gate 17 without a valid schedule. This last gate always answers. */
export function scheduleGate(one: Situation): Refusal | LetThrough {
  const schedule = scheduleInForce(one.facts.schedule, one.policy.window, one.facts.now);
  return schedule.kind === "windows" ? inWindows(schedule.windows, one) : withoutSchedule(schedule, one);
}

/** The settings' own window, or the agent's schedule without one. */
export function scheduleInForce(schedule: KnownSchedule, window: GatePolicy["window"], now: UnixSeconds): KnownSchedule {
  return window === undefined ? schedule : { kind: "windows", windows: ownWindowsAt(window, now) };
}

function inWindows(windows: readonly Window[], { facts, policy }: Situation): Refusal | LetThrough {
  const opening = openingAt(windows, facts.now);
  if (opening.kind === "closed") return outsideWindow(opening.opensAt);
  const needed = neededSeconds(facts.memory.moveSeconds, policy.moveTakes);
  if (opening.until - facts.now >= needed) {
    const told = `the maintenance window is open until ${printInstant(opening.until)}`;
    return { ...pass("window", told), until: opening.until - needed };
  }
  return {
    kind: "stay",
    why: "window-too-short",
    told: `the maintenance window closes at ${printInstant(opening.until)}, and a pass may need ${Math.ceil(needed / 60)} minutes`,
    ...untilOpening(openingAfter(windows, opening.until)),
  };
}

function outsideWindow(opensAt: UnixSeconds | undefined): Refusal {
  const when = opensAt === undefined ? "" : `, the next one opens at ${printInstant(opensAt)}`;
  return { kind: "stay", why: "outside-window", told: `outside the maintenance window${when}`, ...untilOpening(opensAt) };
}

function untilOpening(opensAt: UnixSeconds | undefined): Pick<Refusal, "until" | "lift"> {
  return opensAt === undefined ? { lift: "run now" } : { until: opensAt, lift: "run now" };
}

function withoutSchedule({ why, told }: NoSchedule, { facts, policy, target }: Situation): Refusal | LetThrough {
  if (policy.unscheduled === "anytime") return pass("anytime", `${told}, and unscheduled: anytime allows it`);
  if (policy.unscheduled === "rescue" && facts.isIll && facts.memory.rescuedFor !== target.to) {
    return pass(
      "rescue",
      `${told}, but the agent is unhealthy, and the ${policy.pin === undefined ? "served" : "pinned"} version may fix it`,
    );
  }
  return { kind: "stay", why, told, lift: "a schedule" };
}

function neededSeconds(moveSeconds: GateFacts["memory"]["moveSeconds"], { atLeastSeconds, atMostSeconds }: MoveTakes): number {
  const longest = Math.max(0, ...moveSeconds.slice(0, movesRemembered));
  return Math.min(atMostSeconds, Math.max(atLeastSeconds, 2 * longest));
}

function pass(why: CommonMoveReason, told: string): LetThrough {
  return { kind: "move", why, told };
}
