import { Fault } from "../../rules/fault/fault.ts";
import type { RunCommand } from "../../machine/processes/command.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { AgentCondition } from "../plan/host-facts.ts";
import type { Settings, UnitName } from "../../rules/settings/settings.ts";
import { askHealthCommand } from "./health-command.ts";
import { type Stopwatch } from "../../machine/clocks/stopwatch.ts";
import { thisMoment } from "./moment.ts";
import { settle } from "./settle.ts";
import { isBetweenRestarts, isRunning, type ShownUnit } from "./shown.ts";
import type { UnitControl } from "./systemctl.ts";

export type ToProve = {
  readonly unit: UnitName;
  readonly before: AgentCondition;
  readonly health: Settings["health"];
};

export type HealthEffects = {
  readonly control: UnitControl;
  readonly run: RunCommand;
  readonly stopwatch: Stopwatch;
  readonly log: Log;
};

/**
 * Watches the unit settle, then runs the administrator's command. Throws `unhealthy` if either fails. A stopped unit, or a command that cannot run,
 * says nothing about the agent: it is only logged, so that no good version is rejected.
 */
export async function proveHealth(effects: HealthEffects, { unit, before, health }: ToProve): Promise<void> {
  const { control, log } = effects;
  const since = Math.floor(thisMoment().realtimeMs / 1000);
  const first = await control.show(unit);
  if (first.isMasked) return tellMasked(effects, unit);
  if (hasNothingToProve(first, before)) return;
  const settled = await settle(effects, { unit, seconds: health.settleSeconds, since });
  if (settled.kind === "masked") return tellMasked(effects, unit);
  if (settled.kind === "told") {
    log("warning", `${unit} was stopped while it was watched: whether it is well is not known`, {});
    return;
  }
  if (settled.kind === "ill") {
    const { active, sub } = settled.unit;
    const after = settled.afterSeconds === 1 ? "1 second" : `${settled.afterSeconds} seconds`;
    throw new Fault("unhealthy", {
      message: `${unit} is ${active} (${sub}): ${settled.what}, ${after} after it was brought up`,
      hint: `see \`journalctl -u ${unit}\` and \`systemctl status ${unit}\``,
    });
  }
  await askCommand(effects, unit, health.command);
}

/** Logs that the unit is masked. The old file may still run, so neither the unit nor the command says anything about the new one. */
function tellMasked({ log }: HealthEffects, unit: UnitName): void {
  log("warning", `${unit} is masked: nobody can tell whether it runs well with the installed version`, {});
}

/** Whether the agent ran neither before the change nor after it. */
function hasNothingToProve(now: ShownUnit, before: AgentCondition): boolean {
  if (before === "running" || before === "unhealthy") return false;
  return !isRunning(now) && !isBetweenRestarts(now.sub);
}

async function askCommand({ run, log }: HealthEffects, unit: UnitName, command: readonly string[]): Promise<void> {
  const [program] = command;
  if (program === undefined) return;
  const checked = await askHealthCommand(run, command);
  switch (checked.kind) {
    case "well":
      return;
    case "not-run":
      log(
        "error",
        "health.command could not be run, and so the agent's health is judged by its unit alone; correct the setting",
        {
          program,
          why: checked.why,
        },
      );
      return;
    case "ill":
      throw new Fault("unhealthy", {
        message: `${unit} runs, and the health check ${program} says that it is not well: ${checked.why}`,
        hint: `see \`journalctl -u ${unit}\`, and run the command of the setting health.command by hand`,
      });
  }
}
