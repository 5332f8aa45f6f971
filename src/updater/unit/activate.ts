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
  /** The moment just before the transaction. */
  readonly since: Moment;
  /** "another pass": it wrote `since` down in whole seconds, perhaps before a reboot. */
  readonly begunBy: "this pass" | "another pass";
};

export type ActivateEffects = {
  readonly control: UnitControl;
  readonly runningFile: (pid: number, sinceMs: number) => Promise<RunningFile>;
};

/** "ruled out": somebody masked or stopped the unit. "waits": its socket or timer starts the new file when needed. */
export type Activated =
  | "already runs the new file"
  | "reloaded"
  | "restarted"
  | "started"
  | "left stopped"
  | "masked meanwhile"
  | "stopped meanwhile"
  | "waits";

/** A reload by signal returns at once; a process that executes itself again needs part of this time. */
const reexecuteMs = 3_000;
const betweenProbesMs = 300;

/**
 * Makes the unit run what was installed, and proves it: after a plain reload the old code may still run while all looks well. A unit that
 * an administrator stopped stays stopped.
 */
export async function activate(effects: ActivateEffects, wanted: ToActivate): Promise<Activated> {
  const { control } = effects;
  const { unit, how, since } = wanted;
  await control.daemonReload();
  const now = await control.show(unit);
  if (now.isMasked) return "masked meanwhile";
  const isYounger = startedSince(now, since);
  if (isYounger && (await runsWhatIsInstalled(effects, wanted, now.mainPid))) return "already runs the new file";
  // An enabled unit should always be up.
  if (isWaiting(now) && now.unitFile !== "enabled") return "waits";
  if (!isRunning(now)) return bringUp(control, wanted, now);
  // Something else started a unit that is younger than the transaction; after a reload, we would take that start for ours.
  if (how === "reload-or-restart" && !isYounger) {
    const complaint = await control.change("reload-or-restart", unit);
    const reloaded = complaint === undefined ? await afterReload(effects, wanted) : "runs the old file";
    if (reloaded !== "runs the old file") return reloaded;
  }
  return change(control, wanted, "restart");
}

/** Whether its main process is younger than the transaction, for example because the package's scripts started it. */
function startedSince(unit: ShownUnit, since: Moment): boolean {
  return isRunning(unit) && unit.startedAtUs >= since.monotonicUs;
}

/** A crash during the download also gives a new process, but of the old file; so does a boot before the repair. */
async function runsWhatIsInstalled({ runningFile }: ActivateEffects, wanted: ToActivate, pid: number): Promise<boolean> {
  const file = await runningFile(pid, wanted.since.realtimeMs);
  return file === "new" || (file === "unknown" && wanted.begunBy === "this pass");
}

/** A unit that an administrator stopped stays stopped. Any other unit was up, or failed. */
async function bringUp(control: UnitControl, wanted: ToActivate, now: ShownUnit): Promise<Activated> {
  switch (wanted.before) {
    case "stopped":
    case "unknown":
      return "left stopped";
    case "running":
      return change(control, wanted, "restart");
    case "unhealthy":
      // A start would wait for the delayed restart of systemd.
      return change(control, wanted, isBetweenRestarts(now.sub) || hasEndedUnseen(now) ? "restart" : "start");
  }
}

async function afterReload(
  { control, runningFile }: ActivateEffects,
  wanted: ToActivate,
): Promise<"reloaded" | "restarted" | "runs the old file"> {
  for (let waitedMs = 0; waitedMs < reexecuteMs; waitedMs += betweenProbesMs) {
    const now = await control.show(wanted.unit);
    // systemd restarts a unit that has no reload; a reload may also replace the main process.
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
  // An administrator masked it; the installed version is not at fault.
  if (now.isMasked) return "masked meanwhile";
  if (!isRunning(now) && !isBetweenRestarts(now.sub) && (await control.lastJob(unit, begunAt)) === "stop")
    return "stopped meanwhile";
  const lines = await control.lastLines(unit, Math.floor(since.realtimeMs / 1000));
  // Only systemd's words: the agent's own are for the journal's readers.
  const told = complaint ?? lines.findLast((line) => line.startsWith(`${unit}: `)) ?? "systemd does not say why";
  throw new Fault("activate-failed", {
    message: `${unit} is ${now.active} (${now.sub}) after a ${job}: ${told}`,
    hint: `see \`journalctl -u ${unit}\` and \`systemctl status ${unit}\``,
  });
}
