import { openingAt } from "../window/window.ts";
import { printInstant } from "../window/instant.ts";
import type { Schedule } from "../window/schedule.ts";
import type { UnixSeconds } from "../window/window.ts";
import type { Move, MoveReason } from "./decision.ts";
import { isHeld } from "../decide/policy.ts";
import { scheduleInForce } from "../decide/time-gates.ts";
import { knownSchedule } from "./gate-facts.ts";
import type { Policy } from "./policy.ts";

/** Why a move that was decided may not begin any more, in words; undefined: it may. */
export function overtakenBy({ why, until }: Move, hold: Policy["hold"], now: UnixSeconds): string | undefined {
  // An administrator's rollback passes the hold.
  if (why !== "rollback" && isHeld(hold, now)) return "a hold was set while the pass prepared";
  if (until !== undefined && now > until) {
    return `it would have had to begin by ${printInstant(until)} to end within the maintenance window`;
  }
  return undefined;
}

export type CutOff = { readonly why: MoveReason; readonly schedule: Schedule; readonly now: UnixSeconds };

/** Whether a move that did not finish could begin now, as far as that can be told without the cluster. */
export function couldBegin({ why, schedule, now }: CutOff, { hold, window }: Pick<Policy, "hold" | "window">): boolean {
  if (why !== "rollback" && isHeld(hold, now)) return false;
  if (why !== "window") return true;
  const inForce = scheduleInForce(knownSchedule(schedule), window, now);
  return inForce.kind === "windows" && openingAt(inForce.windows, now).kind === "open";
}
