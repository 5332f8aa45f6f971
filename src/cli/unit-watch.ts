import { readClock } from "../host/clock.ts";
import type { Log } from "../host/log.ts";
import { runCommand } from "../host/run-command.ts";
import type { ChangeBegun, UnitWatch } from "../pass/ports.ts";
import type { AgentCondition } from "../plan/facts.ts";
import type { AgentRecord } from "../record/state.ts";
import type { Settings, UnitName } from "../settings/settings.ts";
import { activate, type Activated } from "../unit/activate.ts";
import { conditionOf } from "../unit/condition.ts";
import { askHealthCommand } from "../unit/health-command.ts";
import { proveHealth } from "../unit/health.ts";
import { momentOf, stopwatch, thisMoment } from "../unit/moment.ts";
import { runningFile } from "../unit/running-file.ts";
import { unitControl } from "../unit/systemctl.ts";

export type ToWatch = {
  readonly settings: Pick<Settings, "agent" | "health">;
  /** What the last pass saw of the unit. */
  readonly seen: AgentRecord | undefined;
  readonly log: Log;
};

const control = unitControl(runCommand);

/** The agent's unit around a change of its package; or around one that another pass began, and did not end. */
export async function watchUnit(toWatch: ToWatch, begun?: ChangeBegun): Promise<UnitWatch> {
  const { settings, log } = toWatch;
  const { agent, health } = settings;
  const { unit } = agent;
  const before = begun?.before ?? (await conditionBefore(toWatch));
  const now = thisMoment();
  const since = begun === undefined ? now : momentOf(begun.since, now);
  const begunBy = begun === undefined ? "this pass" : "another pass";
  const effects = { control, runningFile: (pid: number, sinceMs: number) => runningFile(runCommand, pid, sinceMs) };
  return {
    before,
    activate: async () => {
      const activated = await activate(effects, { unit, how: agent.activate, before, since, begunBy });
      warnOfMask(unit, activated, log);
      return tellActivated(unit, activated);
    },
    proveHealth: () => proveHealth({ control, run: runCommand, stopwatch, log }, { unit, before, health }),
    lastLines: () => control.lastLines(unit, Math.floor(since.realtimeMs / 1000)),
  };
}

/** A unit that is left alone has nothing to prove. */
export function unwatched(told: string): UnitWatch {
  return {
    before: "unknown",
    activate: () => Promise.resolve(told),
    proveHealth: () => Promise.resolve(),
    lastLines: () => Promise.resolve([]),
  };
}

/** By the same measure as afterwards: what the check says before any change is no fault of the new version. */
async function conditionBefore({ settings, seen, log }: ToWatch): Promise<AgentCondition> {
  const { agent, health } = settings;
  const condition = conditionOf(await control.show(agent.unit), readClock().bootId, seen);
  if (condition !== "running" || health.command.length === 0) return condition;
  const checked = await askHealthCommand(runCommand, health.command);
  if (checked.kind !== "ill") return condition;
  log("warning", `the health check says that ${agent.unit} is not well, before anything is changed`, { why: checked.why });
  return "unhealthy";
}

/** Only an administrator masks a unit: it is no fault of the version, and nothing is undone for it. */
function warnOfMask(unit: UnitName, activated: Activated, log: Log): void {
  if (activated !== "masked meanwhile") return;
  const typed = `systemctl unmask ${unit} && systemctl restart ${unit}`;
  log("warning", `${unit} is masked, so what was installed is not started; to run it: ${typed}`, { unit });
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
      return `${unit} was stopped by somebody, and stays so`;
    case "waits":
      return `${unit} waits for its next start, and runs it then`;
  }
}
