import { readClock } from "../../machine/clocks/read-clock.ts";
import type { Log } from "../../machine/logging/log.ts";
import { runCommand } from "../../machine/processes/run-command.ts";
import type { UnitActs } from "./watch-through.ts";
import type { AgentCondition } from "../plan/host-facts.ts";
import type { AgentRecord } from "../record/state.ts";
import type { Settings, UnitName } from "../../rules/settings/settings.ts";
import { activate, type Activated } from "../unit/activate.ts";
import { conditionOf } from "../unit/condition.ts";
import { askHealthCommand } from "../unit/health-command.ts";
import { proveHealth } from "../unit/health.ts";
import { stopwatch } from "../../machine/clocks/stopwatch.ts";
import { runningFile } from "../unit/running-file.ts";
import { unitControl } from "../unit/systemctl.ts";

export type WatchedUnit = { readonly settings: Pick<Settings, "agent" | "health">; readonly log: Log };

const control = unitControl(runCommand);

export function unitActs(watched: WatchedUnit): UnitActs {
  const { settings, log } = watched;
  const { agent, health } = settings;
  const { unit } = agent;
  const effects = { control, runningFile: (pid: number, sinceMs: number) => runningFile(runCommand, pid, sinceMs) };
  return {
    condition: (seen) => conditionNow(watched, seen),
    look: (seen) => conditionBefore(watched, seen),
    restarts: async () => (await control.show(unit)).restarts,
    activate: async (wanted) => {
      const activated = await activate(effects, { unit, how: agent.activate, ...wanted });
      warnOfMask(unit, activated, log);
      return tellActivated(unit, activated);
    },
    proveHealth: (before) => proveHealth({ control, run: runCommand, stopwatch, log }, { unit, before, health }),
    lastLines: (since) => control.lastLines(unit, Math.floor(since.realtimeMs / 1000)),
  };
}

async function conditionNow({ settings }: WatchedUnit, seen: AgentRecord | undefined): Promise<AgentCondition> {
  return conditionOf(await control.show(settings.agent.unit), readClock().bootId, seen);
}

/** The condition before a change. If the check fails already then, the new version is not to blame. */
async function conditionBefore(watched: WatchedUnit, seen: AgentRecord | undefined): Promise<AgentCondition> {
  const { settings, log } = watched;
  const { agent, health } = settings;
  const condition = await conditionNow(watched, seen);
  if (condition !== "running" || health.command.length === 0) return condition;
  const checked = await askHealthCommand(runCommand, health.command);
  if (checked.kind !== "ill") return condition;
  log("warning", `the health check says that ${agent.unit} is not well, before anything is changed`, { why: checked.why });
  return "unhealthy";
}

/** Warns of a masked unit. Only an administrator masks units, so the version is not at fault and nothing is rolled back. */
function warnOfMask(unit: UnitName, activated: Activated, log: Log): void {
  if (activated !== "masked meanwhile") return;
  const typed = `systemctl unmask ${unit} && systemctl restart ${unit}`;
  log("warning", `${unit} is masked, so the installed version is not started; to run it: ${typed}`, { unit });
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
    case "masked meanwhile":
      return `${unit} is masked, and was left as it is`;
    case "stopped meanwhile":
      return `${unit} was stopped by an administrator, and stays stopped`;
    case "waits":
      return `${unit} waits for its next start, and runs it then`;
  }
}
