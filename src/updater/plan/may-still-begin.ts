import { openingAt } from "../../rules/window/window.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { Schedule } from "../../rules/window/schedule.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Move, MoveReason } from "./host-decision.ts";
import { isHeld } from "../../rules/decide/gate-policy.ts";
import { scheduleInForce } from "../../rules/decide/time-gates.ts";
import { knownSchedule } from "./gate-facts-of-host.ts";
import type { Policy } from "./host-policy.ts";
import { isRepairOfInstalled } from "./target.ts";
import { compareVersions, type Version } from "../../rules/version/version.ts";

/** What administrators may order while a pass runs. */
export type Orders = Pick<Policy, "hold" | "pin">;

/** Why a move may not begin any more, in words; undefined if it may. */
export function overtakenBy(
  { why, until, target }: Move,
  { hold, pin, pinBefore }: Orders & { readonly pinBefore: Policy["pin"] },
  now: UnixSeconds,
): string | undefined {
  // An administrator's rollback ignores the hold.
  if (why !== "rollback" && isHeld(hold, now)) return "a hold was set while the pass prepared";
  if (why !== "rollback" && !isRepairOfInstalled(target) && pin?.version !== pinBefore?.version) {
    return pin === undefined
      ? "the pin was taken away while the pass prepared"
      : `${pin.version} was pinned while the pass prepared`;
  }
  if (until !== undefined && now > until) {
    return `it would have had to begin by ${printInstant(until)} to end within the maintenance window`;
  }
  return undefined;
}

export type CutOff = { readonly to: Version; readonly why: MoveReason; readonly schedule: Schedule; readonly now: UnixSeconds };

/** Whether an unfinished move could still begin, as far as this can be known without the cluster. */
export function couldBegin({ to, why, schedule, now }: CutOff, { hold, pin, window }: Orders & Pick<Policy, "window">): boolean {
  if (why !== "rollback" && (isHeld(hold, now) || (pin !== undefined && compareVersions(pin.version, to) !== 0))) return false;
  if (why !== "window") return true;
  const inForce = scheduleInForce(knownSchedule(schedule), window, now);
  return inForce.kind === "windows" && openingAt(inForce.windows, now).kind === "open";
}
