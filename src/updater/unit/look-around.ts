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
 * A unit with what else may bring it up: a socket, a timer or a path that starts it when it is needed, or another unit that wants
 * it. Only what its own links do not tell is asked for.
 */
export async function lookAround(run: RunCommand, unit: UnitName, shown: ShownUnit): Promise<ShownUnit> {
  if (!shown.isLoaded || (shown.isEnabled && (isRunning(shown) || shown.triggeredBy.length === 0))) return shown;
  return withNeighbours(shown, await askNeighbours(run, neighboursOf(unit, shown)));
}

/** One that is not loaded, as it was never switched on, is known to systemd by its name alone. */
function neighboursOf(unit: UnitName, { wantedBy, triggeredBy }: ShownUnit): readonly string[] {
  const stem = unit.replace(/\.service$/, "");
  return [...new Set([...triggeredBy, ...wantedBy, `${stem}.socket`, `${stem}.timer`, `${stem}.path`])];
}

async function askNeighbours(run: RunCommand, units: readonly string[]): Promise<readonly Neighbour[]> {
  const argv = ["systemctl", "show", `--property=${properties.join(",")}`, "--", ...units] as const;
  const result = await askingAgain(run)({ argv, env: toolEnvironment, timeoutMs: askTimeoutMs });
  return parseNeighbours(must(result, `show ${units.join(" ")}`));
}

/** One block for each unit, with an empty line in between. */
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
