import type { RunCommand } from "../../machine/processes/command.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import { askingAgain } from "../../machine/processes/ask-systemd-again.ts";
import { must } from "./complaint.ts";
import { toolEnvironment } from "./environment.ts";
import { askTimeoutMs } from "./properties.ts";
import { hasLinks, isRunning, type ShownUnit, type Trigger } from "./shown.ts";

const properties = ["Id", "LoadState", "ActiveState", "UnitFileState"] as const;

type Neighbour = Readonly<Record<(typeof properties)[number], string>>;

/**
 * Adds what else may bring the unit up: a socket, timer or path that starts it when needed, or another unit that wants it. Asks only for
 * what the unit's own links do not show.
 */
export async function lookAround(run: RunCommand, unit: UnitName, shown: ShownUnit): Promise<ShownUnit> {
  if (!shown.isLoaded || (shown.isEnabled && (isRunning(shown) || shown.triggeredBy.length === 0))) return shown;
  return withNeighbours(shown, await askNeighbours(run, neighboursOf(unit, shown)));
}

/** The units that may start this one. Asks for three by name, because systemd shows none for a unit that is not loaded. */
function neighboursOf(unit: UnitName, { wantedBy, triggeredBy }: ShownUnit): readonly string[] {
  const stem = unit.replace(/\.service$/, "");
  return [...new Set([...triggeredBy, ...wantedBy, `${stem}.socket`, `${stem}.timer`, `${stem}.path`])];
}

async function askNeighbours(run: RunCommand, units: readonly string[]): Promise<readonly Neighbour[]> {
  const argv = ["systemctl", "show", `--property=${properties.join(",")}`, "--", ...units] as const;
  const result = await askingAgain(run)({ argv, env: toolEnvironment, timeoutMs: askTimeoutMs });
  return parseNeighbours(must(result, `show ${units.join(" ")}`));
}

/** Reads one block for each unit. An empty line separates them. */
export function parseNeighbours(output: string): readonly Neighbour[] {
  return output.split(/\n\n+/).map((block) => {
    const valueOf = (name: string): string => new RegExp(`^${name}=(.*)$`, "m").exec(block)?.[1] ?? "";
    return Object.fromEntries(properties.map((name) => [name, valueOf(name)])) as Neighbour;
  });
}

export function withNeighbours(shown: ShownUnit, neighbours: readonly Neighbour[]): ShownUnit {
  const triggers = neighbours.flatMap((neighbour) => triggerOf(neighbour));
  const trigger = triggers.find(({ state }) => state !== "off") ?? triggers.find(({ isEnabled }) => isEnabled) ?? triggers[0];
  const isWanted = neighbours.some(({ Id, ActiveState }) => shown.wantedBy.includes(Id) && ActiveState === "active");
  return { ...shown, trigger, isEnabled: shown.isEnabled || isWanted || trigger?.isEnabled === true };
}

function triggerOf({ Id, LoadState, ActiveState, UnitFileState }: Neighbour): readonly Trigger[] {
  if (LoadState !== "loaded" || !/\.(?:socket|timer|path)$/.test(Id)) return [];
  const state = ActiveState === "active" ? "waiting" : ActiveState === "failed" ? "failed" : "off";
  return [{ unit: Id, state, isEnabled: hasLinks(UnitFileState) }];
}
