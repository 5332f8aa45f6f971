import { quote } from "../../rules/text/quote.ts";
import type { CommandResult, RunCommand } from "../../machine/processes/command.ts";
import { mask } from "../../machine/logging/mask-secrets.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { askingAgain } from "../../machine/processes/ask-systemd-again.ts";
import { complaint, must } from "./complaint.ts";
import { toolEnvironment } from "./environment.ts";
import { askLastJob, doJob, type Job, type JobLimits } from "./job.ts";
import type { Stopwatch } from "../../machine/clocks/stopwatch.ts";
import { linesArgv, parseLines, syncArgv, type UnitJob } from "./journal-query.ts";
import { askTimeoutMs } from "./properties.ts";
import { parseShown, shownProperties, type ShownUnit, hasLinks, isRunning, type Trigger } from "./shown.ts";

/** What the updater asks of systemd. Throws failures as Faults, unless the result tells them. */
export type UnitControl = {
  readonly show: (unit: UnitName) => Promise<ShownUnit>;
  readonly daemonReload: () => Promise<void>;
  readonly resetFailed: (unit: UnitName) => Promise<void>;
  /** Undefined on success; otherwise what systemctl said. */
  readonly change: (how: Job, unit: UnitName, limits?: JobLimits) => Promise<string | undefined>;
  /** The unit's last lines in the journal, oldest first, shortened and without secrets. */
  readonly lastLines: (unit: UnitName, since?: UnixSeconds) => Promise<readonly string[]>;
  /** The last job that somebody ordered since then. Undefined without one, or if the journal does not know. */
  readonly lastJob: (unit: UnitName, since: UnixSeconds) => Promise<UnitJob | undefined>;
};

/** Enough for generators and hundreds of units on a slow disk. */
const reloadTimeoutMs = 90_000;
/** A job waits for the unit's own TimeoutStopSec and TimeoutStartSec, 90 seconds each by default. */
const jobTimeoutMs = 240_000;
/** The longest log line that a message quotes. */
const longestLine = 160;

export function unitControl(run: RunCommand, stopwatch?: Stopwatch): UnitControl {
  const asking = askingAgain(run, stopwatch);
  const call = (argv: readonly [string, ...string[]], timeoutMs: number): Promise<CommandResult> =>
    asking({ argv, env: toolEnvironment, timeoutMs });
  return {
    show: async (unit) => {
      const properties = shownProperties.join(",");
      const shown = must(await call(["systemctl", "show", `--property=${properties}`, "--", unit], askTimeoutMs), `show ${unit}`);
      return lookAround(run, unit, parseShown(shown));
    },
    // These two are repeated after a failure, because doing them twice is harmless.
    daemonReload: async () => {
      must(await call(["systemctl", "daemon-reload"], reloadTimeoutMs), "daemon-reload");
    },
    resetFailed: async (unit) => {
      must(await call(["systemctl", "reset-failed", "--", unit], askTimeoutMs), `reset-failed ${unit}`);
    },
    change: async (how, unit, limits) =>
      complaint(await doJob(run, { how, unit, timeoutMs: jobTimeoutMs, ...limits }, stopwatch)),
    // Returns nothing from an unreadable journal: the lines only explain a fault, and must not hide it.
    lastLines: async (unit, since) => {
      await call(syncArgv, askTimeoutMs);
      const result = await call(linesArgv(unit, since), askTimeoutMs);
      const lines = result.kind === "exited" ? parseLines(result.stdout) : [];
      return lines.map((line) => quote(mask(line), longestLine));
    },
    lastJob: async (unit, since) => {
      // A host that is going down stops every unit, and its journal may already be gone.
      const host = await call(["systemctl", "is-system-running"], askTimeoutMs);
      if (host.kind === "exited" && host.stdout.trim() === "stopping") return "stop";
      return askLastJob(run, unit, since);
    },
  };
}

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
