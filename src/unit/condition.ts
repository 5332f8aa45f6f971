import type { AgentCondition } from "../plan/facts.ts";
import { isBetweenRestarts, isRunning, type ShownUnit } from "./shown.ts";

/** What the last pass saw; systemd counts restarts anew after each boot. */
export type SeenRestarts = { readonly bootId: string; readonly restarts: number };

/**
 * Unhealthy is an enabled unit that failed or is restarted again and again. A crash loop with a long RestartSec never becomes
 * `failed`, so the count of restarts is compared with what the last pass saw.
 */
export function conditionOf(unit: ShownUnit, bootId: string, before: SeenRestarts | undefined): AgentCondition {
  if (!unit.isLoaded) return "unknown";
  const isCrashing = unit.active === "failed" || isBetweenRestarts(unit.sub) || restartsGrew(unit.restarts, bootId, before);
  if (unit.isEnabled && isCrashing && unit.active !== "inactive") return "unhealthy";
  return isRunning(unit) ? "running" : "stopped";
}

function restartsGrew(restarts: number, bootId: string, before: SeenRestarts | undefined): boolean {
  if (before === undefined) return false;
  return restarts > (before.bootId === bootId ? before.restarts : 0);
}
