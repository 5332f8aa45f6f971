import type { NoSchedule } from "../../rules/decide/gate-facts.ts";
import { scheduleInForce } from "../../rules/decide/time-gates.ts";
import type { Facts } from "./host-facts.ts";
import { knownSchedule } from "./gate-facts-of-host.ts";
import type { Policy } from "./host-policy.ts";

/** Why nothing says when the next upgrade may begin; undefined if something does, or if nothing needs to. */
export function noScheduleIn(
  { schedule, now }: Pick<Facts, "schedule" | "now">,
  { window, unscheduled }: Pick<Policy, "window" | "unscheduled">,
): NoSchedule | undefined {
  if (schedule.kind === "never" || unscheduled === "anytime") return undefined;
  const inForce = scheduleInForce(knownSchedule(schedule), window, now);
  return inForce.kind === "none" ? inForce : undefined;
}
