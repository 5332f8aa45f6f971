import { asFault } from "../fault/explain.ts";
import { readClock } from "../host/clock.ts";
import type { Log } from "../host/log.ts";
import type { Paths } from "../host/paths.ts";
import { runCommand } from "../host/run-command.ts";
import { runWithExeca } from "../host/run-with-execa.ts";
import { transactDirectly } from "../package/direct.ts";
import { askThroughUnit } from "../pass/ask.ts";
import type { PassPorts } from "../pass/pass.ts";
import type { AgentSettings, UnitName } from "../settings/settings.ts";
import { writeState } from "../store/state-file.ts";
import { activate, thisMoment, type Activated } from "../unit/activate.ts";
import { runningFile } from "../unit/running-file.ts";
import { unitControl } from "../unit/systemctl.ts";
import { transactInUnit } from "../unit/transaction.ts";
import { askHere, isBooted, isOwnRoot, observers, watchAgent, type HostScope } from "./observers.ts";

/**
 * How a pass reaches the host. "units": the asking unit asks and the transaction unit acts. "alone": one process does all
 * three, below another root or where systemd is not the first process.
 */
export type Means = "units" | "alone";

const transactionEnvironment = "/run/svc-upgrade/transaction.env";
const askingUnit = "svc-upgrade-ask.service" as UnitName;

const control = unitControl(runCommand);

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
    showSteps: () => undefined,
    saveState: (state) => writeState(paths.state, state),
    countRestarts: async () => (hasUnits ? countRestarts(settings.agent, log) : undefined),
    watchUnit: hasUnits ? () => watchUnit(settings.agent) : async () => async () => leftAlone(paths),
    stopping,
  };
}

/** Only a later rescue needs it: the record of a pass that has moved must not be lost for it. */
async function countRestarts({ unit }: AgentSettings, log: Log): ReturnType<PassPorts["countRestarts"]> {
  try {
    return { bootId: readClock().bootId, restarts: (await control.show(unit)).restarts };
  } catch (thrown) {
    log("warning", "the restarts of the agent's unit could not be counted", { why: asFault(thrown).message });
    return undefined;
  }
}

function leftAlone(paths: Paths): string {
  return `its unit was left alone, as always ${isOwnRoot(paths) ? "where systemd does not run" : "below another root"}`;
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
