import type { UnitName } from "../../rules/settings/settings.ts";
import { decidingUnit } from "../unit/own-units.ts";
import { isRunning, type ShownUnit } from "../unit/shown.ts";
import type { ShownTimer } from "../unit/timer.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { AgentSeen } from "./observed.ts";

export type UnitPorts = {
  readonly show: (unit: UnitName) => Promise<ShownUnit>;
  readonly showTimer: () => Promise<ShownTimer>;
  /** The clock by which systemd dates its units. */
  readonly monotonicUs: () => number;
};

export async function lookAtAgent(unit: UnitName, { show, monotonicUs }: UnitPorts, now: UnixSeconds): Promise<AgentSeen> {
  const shown = await show(unit);
  const upSeconds = Math.max(0, Math.floor((monotonicUs() - shown.activeSinceUs) / 1e6));
  return { unit, shown, activeSince: isRunning(shown) && shown.activeSinceUs > 0 ? now - upSeconds : undefined };
}

/** A oneshot unit is never active: it is activating as long as it works. */
export async function isPassRunning({ show }: Pick<UnitPorts, "show">): Promise<boolean> {
  const { active } = await show(decidingUnit);
  return active === "activating" || active === "deactivating";
}
