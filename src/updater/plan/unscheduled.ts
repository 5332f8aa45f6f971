import type { NoSchedule } from "../../rules/decide/facts.ts";
import { scheduleInForce } from "../../rules/decide/time-gates.ts";
import type { Stay } from "./decision.ts";
import type { Facts } from "./facts.ts";
import { knownSchedule } from "./gate-facts.ts";
import type { Policy } from "./policy.ts";

/** Why nothing says when the next upgrade may begin; undefined where something does, or nothing has to. */
export function noScheduleIn(
  { schedule, now }: Pick<Facts, "schedule" | "now">,
  { window, unscheduled }: Pick<Policy, "window" | "unscheduled">,
): NoSchedule | undefined {
  if (schedule.kind === "never" || unscheduled === "anytime") return undefined;
  const inForce = scheduleInForce(knownSchedule(schedule), window, now);
  return inForce.kind === "none" ? inForce : undefined;
}

/** There is nothing to move, so no gate has asked for the schedule. */
export function isDone({ why }: Pick<Stay, "why">): boolean {
  return why === "current" || why === "no-version";
}
