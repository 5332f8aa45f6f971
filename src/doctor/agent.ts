import type { RunCommand } from "../host/command.ts";
import type { AgentCondition } from "../plan/facts.ts";
import type { AgentRecord } from "../record/state.ts";
import type { UnitName } from "../settings/settings.ts";
import { conditionOf } from "../unit/condition.ts";
import { isBetweenRestarts, type ShownUnit } from "../unit/shown.ts";
import { unitControl } from "../unit/systemctl.ts";
import type { Finding } from "./check.ts";

export type AgentScene = {
  readonly unit: UnitName;
  readonly bootId: string;
  /** What the last pass saw of it. */
  readonly before: AgentRecord | undefined;
};

export async function examineAgent(run: RunCommand, { unit, bootId, before }: AgentScene): Promise<Finding> {
  const shown = await unitControl(run).show(unit);
  return judgeAgent(unit, shown, conditionOf(shown, bootId, before));
}

/** The agent's unit. What an admin stopped is no failure: an upgrade leaves it so. */
export function judgeAgent(unit: UnitName, shown: ShownUnit, condition: AgentCondition): Finding {
  if (!shown.isLoaded) {
    return { verdict: "failed", told: `${unit} is missing or masked; is agent.unit right?`, fix: `systemctl status ${unit}` };
  }
  const told = `${unit} is ${shown.active} (${shown.sub}${shown.restarts === 0 ? "" : `, restarts: ${shown.restarts}`})`;
  // A pass leaves alone what is not enabled, but whoever looks should hear of it.
  if (condition === "unhealthy" || shown.active === "failed" || isBetweenRestarts(shown.sub)) {
    return {
      verdict: "failed",
      told: `${told}: it keeps ending by itself; see why`,
      fix: `journalctl -u ${unit} -n 20 --no-pager`,
    };
  }
  if (condition === "stopped") {
    return { verdict: "warning", told: `${told}: an upgrade leaves it so`, fix: `sudo systemctl enable --now ${unit}` };
  }
  if (shown.isEnabled) return { verdict: "ok", told: `${told} and enabled` };
  return { verdict: "warning", told: `${told}, and gone after the next boot`, fix: `sudo systemctl enable ${unit}` };
}
