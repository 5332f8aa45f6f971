import { setTimeout as sleep } from "node:timers/promises";
import { againWhenKilled } from "./again-when-killed.ts";
import { build } from "../../../machine/program/program-build.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import type { Log } from "../../../machine/logging/log.ts";
import type { AgentPaths, Paths } from "../../../machine/files/paths.ts";
import { runCommand } from "../../../machine/processes/run-command.ts";
import { aptManager } from "../../package/apt/apt-manager.ts";
import { inspectingBeside } from "../../package/manager/inspect-along.ts";
import { detectManager } from "../../package/manager/detect.ts";
import type { PackageManager } from "../../package/manager/manager.ts";
import type { Transact } from "../../package/call/transact.ts";
import { yumManager } from "../../package/yum/yum-manager.ts";
import { zypperManager } from "../../package/zypper/zypper-manager.ts";
import type { Observers } from "../../pass/ports.ts";
import type { ChannelAnswer } from "../../../rules/decide/gate-facts.ts";
import type { ProxyVariables } from "../../../rules/route/route.ts";
import type { Endpoint, Settings } from "../../../rules/settings/settings.ts";
import { companionsIn } from "../../store/ledger-file.ts";
import { readSchedule } from "../../store/schedule-file.ts";
import { conditionOf } from "../../unit/condition.ts";
import { unitControl } from "../../unit/systemctl.ts";
import { askBinary } from "../../unit/version-command.ts";
import type { Version } from "../../../rules/version/version.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";
import { askNetwork } from "./ask-network.ts";
import { isBooted, isOwnRoot } from "../../../machine/processes/booted.ts";

/** What a pass or a dry run works with on this host. */
export type HostScope = {
  readonly paths: Paths;
  readonly agentPaths: AgentPaths;
  readonly settings: Settings;
  readonly endpoint: Endpoint;
  readonly proxies: ProxyVariables;
  readonly log: Log;
  readonly stopping: AbortSignal;
  /** The moment for the schedule, if it is not now. */
  readonly at?: UnixSeconds | undefined;
};

/** Asks the channel in this process, as its user. */
export function askHere(scope: HostScope): (installed: Promise<Version | undefined>) => Promise<ChannelAnswer> {
  const { endpoint, settings, paths, proxies, log, stopping } = scope;
  return (installed) => {
    const question = {
      endpoint,
      channel: settings.channel,
      caFile: settings.caFile,
      allowPlainHttp: settings.allowPlainHttp,
      installed,
    };
    return askNetwork(question, { proxies, log, stopping, root: paths.root });
  };
}

/** A dry run looks and asks by itself, and has no way to change anything. */
export function dryObservers(scope: HostScope): Observers {
  return observers(scope, { transact: refuseTransaction, ask: askHere(scope), agent: watchForRescue(scope) });
}

export type Ways = {
  readonly transact: Transact;
  readonly ask: Observers["askChannel"];
  readonly agent: Observers["watchAgent"];
};

export function observers(scope: HostScope, { transact, ask, agent }: Ways): Observers {
  const { agentPaths, at } = scope;
  return {
    ...hostObservers(scope, transact),
    readSchedule: () => readSchedule(agentPaths.schedule, { now: () => at ?? readClock().now, wait: (ms) => sleep(ms) }),
    askChannel: ask,
    watchAgent: agent,
  };
}

type HostObservers = Pick<Observers, "builtAt" | "readClock" | "findManager" | "askBinary">;

/** For commands that look at the host and ask no channel. */
export function lookingObservers(scope: Pick<HostScope, "paths" | "settings">): HostObservers {
  return hostObservers({ ...scope, proxies: {} }, refuseTransaction);
}

export function hostObservers(
  { paths, settings, proxies }: Pick<HostScope, "paths" | "settings" | "proxies">,
  transact: Transact,
): HostObservers {
  const run = againWhenKilled(runCommand);
  const effects = { run, transact, root: paths.root, proxies };
  const managers = managersFor(effects, paths);
  return {
    builtAt: build.builtAt,
    readClock,
    findManager: () => detectManager(managers, settings.manager, settings.agent.package),
    // Never runs another root's programs, which may be for another machine.
    askBinary: () => (isOwnRoot(paths) ? askBinary(run, settings.agent.versionCommand) : Promise.resolve({ kind: "not-asked" })),
  };
}

/** Every family, on this host or below another root. */
export function managersFor(effects: Parameters<typeof aptManager>[0], paths: Pick<Paths, "ledger">): readonly PackageManager[] {
  const families = [aptManager(effects), yumManager(effects), zypperManager(effects)];
  return families.map((manager) => inspectingBeside(manager, () => companionsIn(paths)));
}

/** Looks at the agent's health only without a window, because otherwise it does not matter for a dry run. */
function watchForRescue({ paths, settings }: HostScope): Observers["watchAgent"] {
  const mayRescue = isOwnRoot(paths) && isBooted() && settings.unscheduled === "rescue" && settings.window === undefined;
  return async (previous) => {
    if (!mayRescue || previous === undefined || previous.unhealthyPasses === 0) return "unknown";
    return conditionOf(await unitControl(runCommand).show(settings.agent.unit), readClock().bootId, previous);
  };
}

export function refuseTransaction(): Promise<never> {
  return Promise.reject(new Error("a look or a decision must not change anything"));
}
