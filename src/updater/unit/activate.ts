import { setTimeout as pause } from "node:timers/promises";
import { Fault } from "../../rules/fault/fault.ts";
import type { AgentCondition } from "../plan/host-facts.ts";
import type { Activation, UnitName } from "../../rules/settings/settings.ts";
import type { Moment } from "./moment.ts";
import type { RunningFile } from "./running-file.ts";
import { hasEndedUnseen, isBetweenRestarts, isRunning, isWaiting, type ShownUnit } from "./shown.ts";
import type { UnitControl } from "./systemctl.ts";

export type ToActivate = {
  readonly unit: UnitName;
  readonly how: Activation;
  readonly before: AgentCondition;
  /** A moment just before the transaction. */
  readonly since: Moment;
  /** "another pass" wrote `since` down in whole seconds, perhaps before a reboot. */
  readonly begunBy: "this pass" | "another pass";
};

export type ActivateEffects = {
  readonly control: UnitControl;
  readonly runningFile: (pid: number, sinceMs: number) => Promise<RunningFile>;
};

/** "ruled out": somebody masked or stopped the unit. "waits": its socket or timer starts the new file when it is needed. */
export type Activated =
  | "already runs the new file"
  | "reloaded"
  | "restarted"
  | "started"
  | "left stopped"
  | "masked meanwhile"
  | "stopped meanwhile"
  | "waits";

/** A reload by signal returns at once; a process that executes itself again then needs part of this time. */
const reexecuteMs = 3_000;
const betweenProbesMs = 300;

/**
 * Makes the unit run the installed file, and proves it: after a plain reload the old code may still run. A unit that an administrator stopped stays
 * stopped.
 */
export async function activate(effects: ActivateEffects, wanted: ToActivate): Promise<Activated> {
  const { control } = effects;
  const { unit, how, since } = wanted;
  await control.daemonReload();
  const now = await control.show(unit);
  if (now.isMasked) return "masked meanwhile";
  const isYounger = startedSince(now, since);
  if (isYounger && (await runsWhatIsInstalled(effects, wanted, now.mainPid))) return "already runs the new file";
  // An enabled unit should be up, even if its socket or timer could start it.
  if (isWaiting(now) && now.unitFile !== "enabled") return "waits";
  if (!isRunning(now)) return bringUp(control, wanted, now);
  // Reloads only a unit that is older than the transaction: something else started a younger one, and we would take that start for ours.
  if (how === "reload-or-restart" && !isYounger) {
    const complaint = await control.change("reload-or-restart", unit);
    const reloaded = complaint === undefined ? await afterReload(effects, wanted) : "runs the old file";
    if (reloaded !== "runs the old file") return reloaded;
  }
  return change(control, wanted, "restart");
}

/** Whether the unit's main process is younger than the transaction, for example because the package's scripts started it. */
function startedSince(unit: ShownUnit, since: Moment): boolean {
  return isRunning(unit) && unit.startedAtUs >= since.monotonicUs;
}

/**
 * Whether the main process runs the installed file. A new process alone proves nothing: after a crash during the download, or a boot before the
 * repair, it runs the old file.
 */
async function runsWhatIsInstalled({ runningFile }: ActivateEffects, wanted: ToActivate, pid: number): Promise<boolean> {
  const file = await runningFile(pid, wanted.since.realtimeMs);
  return file === "new" || (file === "unknown" && wanted.begunBy === "this pass");
}

/** Brings the unit up. One that an administrator stopped stays stopped; any other was up, or had failed. */
async function bringUp(control: UnitControl, wanted: ToActivate, now: ShownUnit): Promise<Activated> {
  switch (wanted.before) {
    case "stopped":
    case "unknown":
      return "left stopped";
    case "running":
      return change(control, wanted, "restart");
    case "unhealthy":
      // Restarts, because a start would wait for systemd's own delayed restart.
      return change(control, wanted, isBetweenRestarts(now.sub) || hasEndedUnseen(now) ? "restart" : "start");
  }
}

async function afterReload(
  { control, runningFile }: ActivateEffects,
  wanted: ToActivate,
): Promise<"reloaded" | "restarted" | "runs the old file"> {
  for (let waitedMs = 0; waitedMs < reexecuteMs; waitedMs += betweenProbesMs) {
    const now = await control.show(wanted.unit);
    // systemd restarts a unit that cannot reload, and a reload may also replace the main process.
    if (startedSince(now, wanted.since)) return now.activeSinceUs >= wanted.since.monotonicUs ? "restarted" : "reloaded";
    if (now.mainPid === 0 || !isRunning(now)) return "runs the old file";
    if ((await runningFile(now.mainPid, wanted.since.realtimeMs)) === "new") return "reloaded";
    await pause(betweenProbesMs);
  }
  return "runs the old file";
}

async function change(control: UnitControl, wanted: ToActivate, job: "start" | "restart"): Promise<Activated> {
  const { unit, since } = wanted;
  const seen = await control.show(unit);
  // systemd starts a unit that failed too often only after a reset.
  if (seen.active === "failed" || isBetweenRestarts(seen.sub)) await control.resetFailed(unit);
  const begunAt = Math.floor(Date.now() / 1000);
  const complaint = await control.change(job, unit);
  const now = await control.show(unit);
  if (complaint === undefined && startedSince(now, since)) return job === "start" ? "started" : "restarted";
  // An administrator masked the unit; the installed version is not at fault.
  if (now.isMasked) return "masked meanwhile";
  if (!isRunning(now) && !isBetweenRestarts(now.sub) && (await control.lastJob(unit, begunAt)) === "stop")
    return "stopped meanwhile";
  const lines = await control.lastLines(unit, Math.floor(since.realtimeMs / 1000));
  // Quotes only systemd: the agent's own lines are for people who may read the journal.
  const told = complaint ?? lines.findLast((line) => line.startsWith(`${unit}: `)) ?? "systemd does not say why";
  throw new Fault("activate-failed", {
    message: `${unit} is ${now.active} (${now.sub}) after a ${job}: ${told}`,
    hint: `see \`journalctl -u ${unit}\` and \`systemctl status ${unit}\``,
  });
}
