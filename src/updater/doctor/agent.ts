import type { RunCommand } from "../../machine/processes/command.ts";
import type { AgentCondition } from "../plan/host-facts.ts";
import type { AgentRecord } from "../record/state.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import { conditionOf } from "../unit/condition.ts";
import { hasEndedUnseen, isBetweenRestarts, type ShownUnit } from "../unit/shown.ts";
import { unitControl } from "../unit/systemctl.ts";
import { failed, ok, warning, type Finding, type Check } from "./check.ts";
import { statSync } from "node:fs";
import { reach, tellBarred, wayFree } from "../../machine/files/foreign-file.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import { environmentFilesOf } from "../unit/unit-environment.ts";

export type AgentScene = {
  readonly unit: UnitName;
  readonly bootId: string;
  /** What the last pass saw of the unit. */
  readonly before: AgentRecord | undefined;
};

export async function examineAgent(run: RunCommand, { unit, bootId, before }: AgentScene): Promise<Finding> {
  const shown = await unitControl(run).show(unit);
  const finding = judgeAgent(unit, shown, conditionOf(shown, bootId, before));
  if (finding.verdict !== "ok") return finding;
  const foreign = await foreignEnvironmentFile(run, unit);
  return foreign === undefined ? finding : warning(`${finding.told}; ${foreign.told}`, foreign.fix);
}

/** Judges the agent's unit. A unit that an administrator stopped is no failure, because an upgrade leaves it stopped. */
export function judgeAgent(unit: UnitName, shown: ShownUnit, condition: AgentCondition): Finding {
  if (!shown.isLoaded) {
    if (shown.isMasked) {
      return failed(`${unit} is masked: nothing can start it`, `sudo systemctl unmask ${unit}`);
    }
    return failed(`${unit} is missing; is agent.unit right?`, `systemctl status ${unit}`);
  }
  const told = `${unit} is ${shown.active} (${shown.sub}${shown.restarts === 0 ? "" : `, restarts: ${shown.restarts}`})`;
  if (hasEndedUnseen(shown)) {
    return failed(`${told}: no process of it is left; see why`, `journalctl -u ${unit} -n 20 --no-pager`);
  }
  if (condition === "unhealthy" && shown.trigger?.state === "failed") {
    const { unit: trigger } = shown.trigger;
    return failed(
      `${told}, and ${trigger} has failed: nothing starts it any more`,
      `journalctl -u ${unit} -u ${trigger} -n 20 --no-pager`,
    );
  }
  // A pass does not touch a disabled unit, but an administrator should know.
  if (condition === "unhealthy" || shown.active === "failed" || isBetweenRestarts(shown.sub)) {
    return failed(`${told}: it keeps ending by itself; see why`, `journalctl -u ${unit} -n 20 --no-pager`);
  }
  if (condition === "stopped") {
    return warning(`${told}: an upgrade leaves it so`, bringUp(unit, shown));
  }
  if (!shown.isEnabled) return warning(`${told}, and gone after the next boot`, enable(unit, shown));
  const { trigger } = shown;
  if (trigger?.state !== "waiting") return ok(`${told} and enabled`);
  return ok(`${told}; ${trigger.unit} starts it when it is needed`);
}

/** The command to enable a unit. `systemctl enable` does nothing for one without [Install]: its socket or timer is enabled, or a target wants it. */
function enable(unit: UnitName, { unitFile, trigger }: ShownUnit): string {
  if (trigger !== undefined) return `sudo systemctl enable --now ${trigger.unit}`;
  if (unitFile === "disabled" || unitFile === "script") return `sudo systemctl enable ${unit}`;
  return `sudo systemctl add-wants multi-user.target ${unit}`;
}

function bringUp(unit: UnitName, shown: ShownUnit): string {
  const { unitFile, trigger, isEnabled } = shown;
  if (trigger !== undefined && unitFile !== "enabled") return `sudo systemctl enable --now ${trigger.unit}`;
  if (unitFile === "enabled" || unitFile === "disabled") return `sudo systemctl enable --now ${unit}`;
  const start = `sudo systemctl start ${unit}`;
  return isEnabled ? start : `${enable(unit, shown)} && ${start}`;
}

type ForeignFile = Pick<Check, "told"> & { readonly fix: string };

/** Finds an environment file that another user owns. systemd opens it when the unit starts, so that user can make systemd wait. */
export async function foreignEnvironmentFile(run: RunCommand, unit: UnitName): Promise<ForeignFile | undefined> {
  const paths = await environmentFilesOf(run, unit);
  return paths.map(judge).find((foreign) => foreign !== undefined);
}

function judge(path: string): ForeignFile | undefined {
  const reached = reach(path, "follow", (place) => ({ kind: "reached", uid: statSync(place).uid }) as const);
  const told = `its EnvironmentFile= ${path}`;
  if (reached.kind === "barred") return { told: `${told} holds up systemd: ${tellBarred(reached)}`, fix: wayFree(reached) };
  if (reached.kind !== "reached" || reached.uid === 0) return undefined;
  return {
    told: `${told} belongs to user ${reached.uid}, who can keep systemd waiting for it, with all of the host`,
    fix: `sudo chown root: ${shellWord(path)}`,
  };
}
