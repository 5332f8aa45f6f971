import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "../host/build.ts";
import { readClock } from "../host/clock.ts";
import type { Log } from "../host/log.ts";
import type { Paths } from "../host/paths.ts";
import { runCommand } from "../host/run-command.ts";
import { runWithExeca } from "../host/run-with-execa.ts";
import { askChannel, type ChannelQuestion } from "../network/ask-channel.ts";
import { aptManager } from "../package/apt.ts";
import { detectManager } from "../package/detect.ts";
import { transactDirectly } from "../package/direct.ts";
import type { Transact } from "../package/transact.ts";
import { askThroughUnit } from "../pass/ask.ts";
import type { PassPorts } from "../pass/pass.ts";
import type { Observers } from "../pass/ports.ts";
import { lowerCaseProxies } from "../pass/proxies.ts";
import type { ChannelAnswer } from "../plan/facts.ts";
import type { AgentRecord } from "../record/state.ts";
import { routeFor, type ProxyVariables } from "../route/route.ts";
import type { AgentSettings, Endpoint, Settings, UnitName } from "../settings/settings.ts";
import { readSchedule } from "../store/schedule-file.ts";
import { writeState } from "../store/state-file.ts";
import { activate, thisMoment, type Activated } from "../unit/activate.ts";
import { conditionOf } from "../unit/condition.ts";
import { runningFile } from "../unit/running-file.ts";
import { unitControl } from "../unit/systemctl.ts";
import { transactInUnit } from "../unit/transaction.ts";
import { askBinary } from "../unit/version-command.ts";
import type { Version } from "../version/version.ts";

/** What of this host a pass or a dry run works with. */
export type HostScope = {
  readonly paths: Paths;
  readonly settings: Settings;
  readonly endpoint: Endpoint;
  readonly proxies: ProxyVariables;
  readonly log: Log;
  readonly stopping: AbortSignal;
};

/**
 * How a pass reaches the host. "units": the asking unit asks and the transaction unit acts. "alone": one process does all
 * three, below another root or where systemd is not the first process.
 */
export type Means = "units" | "alone";

const transactionEnvironment = "/run/svc-upgrade/transaction.env";
const askingUnit = "svc-upgrade-ask.service" as UnitName;

const control = unitControl(runCommand);

export function isBooted(): boolean {
  return existsSync("/run/systemd/system");
}

/** Asks the channel in this process, as whoever runs it. */
export function askHere(scope: HostScope): (installed: Promise<Version | undefined>) => Promise<ChannelAnswer> {
  const { endpoint, settings, proxies, log, stopping } = scope;
  return (installed) => {
    const question = {
      endpoint,
      channel: settings.channel,
      caFile: settings.caFile,
      allowPlainHttp: settings.allowPlainHttp,
      installed,
    };
    return askNetwork(question, { proxies, log, stopping });
  };
}

export type NetworkScope = { readonly proxies: ProxyVariables; readonly log: Log; readonly stopping: AbortSignal };

export function askNetwork(question: ChannelQuestion, { proxies, log, stopping }: NetworkScope): Promise<ChannelAnswer> {
  return askChannel(question, {
    routeOf: (url) => routeFor(url, proxies),
    monotonicMs: () => performance.now(),
    random: Math.random,
    wait: async (ms, signal) => {
      await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    },
    signal: stopping,
    log,
  });
}

/** A dry run looks and asks by itself; it has no way to change anything. */
export function dryObservers(scope: HostScope): Observers {
  return observers(scope, { transact: refuseTransaction, ask: askHere(scope), agent: watchForRescue(scope) });
}

export function passPorts(scope: HostScope, passId: string, means: Means): PassPorts {
  const { paths, settings, endpoint, log, stopping } = scope;
  const hasUnits = isOwnRoot(paths) && isBooted();
  const question = {
    pass: passId,
    endpoint,
    channel: settings.channel,
    caFile: settings.caFile,
    allowPlainHttp: settings.allowPlainHttp,
  };
  const start = (): Promise<string | undefined> => control.change("start", askingUnit);
  const units = { paths, start, now: () => readClock().now };
  return {
    ...observers(scope, {
      transact: means === "units" ? transactInUnit(runWithExeca, transactionEnvironment) : transactDirectly(runWithExeca),
      ask: means === "units" ? askThroughUnit(question, units) : askHere(scope),
      agent: (previous) => watchAgent(hasUnits, settings.agent, previous),
    }),
    passId,
    log,
    saveState: (state) => writeState(paths.state, state),
    countRestarts: async () => {
      if (!hasUnits) return undefined;
      const { restarts } = await control.show(settings.agent.unit);
      return { bootId: readClock().bootId, restarts };
    },
    watchUnit: hasUnits
      ? () => watchUnit(settings.agent)
      : async () => async () => "its unit was left alone, as always below another root",
    stopping,
  };
}

type Ways = {
  readonly transact: Transact;
  readonly ask: Observers["askChannel"];
  readonly agent: Observers["watchAgent"];
};

function observers({ paths, settings, proxies }: HostScope, { transact, ask, agent }: Ways): Observers {
  const managers = [aptManager({ run: runCommand, transact, root: paths.root, proxies: lowerCaseProxies(proxies) })];
  return {
    builtAt: build.builtAt,
    readClock,
    readSchedule: () => readSchedule(paths.schedule, { now: () => readClock().now, wait: (ms) => sleep(ms) }),
    findManager: () => detectManager(managers, settings.manager, settings.agent.package),
    // Another root's programs may be for another machine, and are never run.
    askBinary: () =>
      isOwnRoot(paths) ? askBinary(runCommand, settings.agent.versionCommand) : Promise.resolve({ kind: "not-asked" }),
    askChannel: ask,
    watchAgent: agent,
  };
}

async function watchAgent(
  hasUnits: boolean,
  { unit }: AgentSettings,
  previous: AgentRecord | undefined,
): ReturnType<Observers["watchAgent"]> {
  if (!hasUnits) return "unknown";
  return conditionOf(await control.show(unit), readClock().bootId, previous);
}

/** Only without any window does the agent's health decide something; a dry run saves the question else. */
function watchForRescue({ paths, settings }: HostScope): Observers["watchAgent"] {
  const mayRescue = isOwnRoot(paths) && isBooted() && settings.unscheduled === "rescue" && settings.window === undefined;
  return async (previous) => {
    if (!mayRescue || previous === undefined || previous.unhealthyPasses === 0) return "unknown";
    return watchAgent(true, settings.agent, previous);
  };
}

async function watchUnit({ unit, activate: how }: AgentSettings): Promise<() => Promise<string>> {
  const before = await control.show(unit);
  const since = thisMoment();
  const effects = { control, runningFile: (pid: number, sinceMs: number) => runningFile(runCommand, pid, sinceMs) };
  return async () => tellActivated(unit, await activate(effects, { unit, how, before, since }));
}

function tellActivated(unit: UnitName, activated: Activated): string {
  switch (activated) {
    case "already runs the new file":
      return `${unit} runs it`;
    case "reloaded":
    case "restarted":
    case "started":
      return `${unit} was ${activated} and runs it`;
    case "left stopped":
      return `${unit} was not running and stays so`;
  }
}

function isOwnRoot(paths: Paths): boolean {
  return paths.root === "/";
}

function refuseTransaction(): Promise<never> {
  return Promise.reject(new Error("a dry run must not change anything"));
}
