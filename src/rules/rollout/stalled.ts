import { daySeconds } from "../window/seconds.ts";
import type { UnixSeconds } from "../window/window.ts";
import type { Evidence } from "./host-evidence.ts";
import { standingOf, type Status } from "./status.ts";
import { activeIn, type Tally } from "./tally.ts";

/** How long a stage may stand still if auth does not know when the cluster's windows were open. */
const patienceSeconds = 7 * daySeconds;

/** Since when the stage whose turn it is has stood still, if two windows have passed since. Warns a person, and does not halt the rollout. */
export function stalledSince(
  status: Status,
  tallies: readonly Tally[],
  { now, twoWindowsAgo = now - patienceSeconds }: Pick<Evidence, "now" | "twoWindowsAgo">,
): UnixSeconds | undefined {
  const active = activeIn(tallies);
  if (standingOf(status).kind !== "moving" || active === undefined) return undefined;
  const last = Math.max(lastStep(status), active.progress, soakEnd(active));
  return last < twoWindowsAgo ? last : undefined;
}

/** When a stage last changed its state, or hosts were last told the target. */
function lastStep({ began, resumed = 0, stages, marks, byId }: Status): UnixSeconds {
  return Math.max(began, resumed, ...[...stages.map(({ since }) => ({ at: since })), ...marks, ...byId].map(({ at }) => at));
}

function soakEnd({ status, spec }: Tally): UnixSeconds {
  return status.state === "soaking" ? status.since + spec.soakSeconds : 0;
}
