import type { AgentCondition } from "../plan/host-facts.ts";
import { hasEndedUnseen, isBetweenRestarts, isRunning, isWaiting, type ShownUnit } from "./shown.ts";

/** The number of restarts that the last pass saw. systemd counts from 0 after each boot. */
export type SeenRestarts = { readonly bootId: string; readonly restarts: number };

/**
 * The condition of the agent's unit. An enabled unit is unhealthy if it failed, or if systemd restarts it again and again. A crash loop with a long
 * RestartSec never becomes `failed`, so the restarts are compared with the last pass's count.
 */
export function conditionOf(unit: ShownUnit, bootId: string, before: SeenRestarts | undefined): AgentCondition {
  if (!unit.isLoaded) return "unknown";
  const isCrashing = hasFailed(unit) || isBetweenRestarts(unit.sub) || restartsGrew(unit.restarts, bootId, before);
  if (unit.isEnabled && isCrashing && (unit.active !== "inactive" || hasFailed(unit))) return "unhealthy";
  return isRunning(unit) || isWaiting(unit) ? "running" : "stopped";
}

/**
 * Whether the unit or its socket has failed. A socket fails after several failures of its service, which then counts as stopped although no client
 * can reach it.
 */
function hasFailed(unit: ShownUnit): boolean {
  if (unit.active === "failed" || hasEndedUnseen(unit)) return true;
  return unit.active === "inactive" && unit.trigger?.state === "failed" && unit.trigger.isEnabled;
}

function restartsGrew(restarts: number, bootId: string, before: SeenRestarts | undefined): boolean {
  if (before === undefined) return false;
  return restarts > (before.bootId === bootId ? before.restarts : 0);
}
