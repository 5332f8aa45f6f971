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
  /** How the unit was before the transaction. */
  readonly before: AgentCondition;
  /** The moment before the transaction. */
  readonly since: Moment;
  /** Another pass wrote that moment down in whole seconds, perhaps in another boot. */
  readonly begunBy: "this pass" | "another pass";
};

export type ActivateEffects = {
  readonly control: UnitControl;
  readonly runningFile: (pid: number, sinceMs: number) => Promise<RunningFile>;
};

/** "ruled out": somebody masked or stopped it since; "waits": its socket or timer starts the new file when it is needed. */
export type Activated =
  | "already runs the new file"
  | "reloaded"
  | "restarted"
  | "started"
  | "left stopped"
  | "masked meanwhile"
  | "stopped meanwhile"
  | "waits";

/** A reload by signal returns at once; a process that executes itself again needs some of this. */
const reexecuteMs = 3_000;
const betweenProbesMs = 300;

/**
 * Brings the unit to run what was installed, and proves it: a plain reload leaves the old code running and all looks well.
 * What an admin had stopped stays stopped.
 */
export async function activate(effects: ActivateEffects, wanted: ToActivate): Promise<Activated> {
  const { control } = effects;
  const { unit, how, since } = wanted;
  await control.daemonReload();
  const now = await control.show(unit);
  if (now.isMasked) return "masked meanwhile";
  const isYounger = startedSince(now, since);
  if (isYounger && (await runsWhatIsInstalled(effects, wanted, now.mainPid))) return "already runs the new file";
  // One that is enabled itself is meant to be up all the time.
  if (isWaiting(now) && now.unitFile !== "enabled") return "waits";
  if (!isRunning(now)) return bringUp(control, wanted, now);
  // The start of one that is younger than the transaction would be taken for what the reload did.
  if (how === "reload-or-restart" && !isYounger) {
    const complaint = await control.change("reload-or-restart", unit);
    const reloaded = complaint === undefined ? await afterReload(effects, wanted) : "runs the old file";
    if (reloaded !== "runs the old file") return reloaded;
  }
  return change(control, wanted, "restart");
}

/** Whether its main process is younger than the transaction, through the package's own scripts for example. */
function startedSince(unit: ShownUnit, since: Moment): boolean {
  return isRunning(unit) && unit.startedAtUs >= since.monotonicUs;
}

/** A crash while the package was still being fetched also gives a new process, of the old file; so does a boot before the repair. */
async function runsWhatIsInstalled({ runningFile }: ActivateEffects, wanted: ToActivate, pid: number): Promise<boolean> {
  const file = await runningFile(pid, wanted.since.realtimeMs);
  return file === "new" || (file === "unknown" && wanted.begunBy === "this pass");
}

/** What an admin had stopped stays stopped; all else was up, or had failed against an admin's will. */
async function bringUp(control: UnitControl, wanted: ToActivate, now: ShownUnit): Promise<Activated> {
  switch (wanted.before) {
    case "stopped":
    case "unknown":
      return "left stopped";
    case "running":
      return change(control, wanted, "restart");
    case "unhealthy":
      // A start would wait for the restart that systemd has already put off.
      return change(control, wanted, isBetweenRestarts(now.sub) || hasEndedUnseen(now) ? "restart" : "start");
  }
}

async function afterReload(
  { control, runningFile }: ActivateEffects,
  wanted: ToActivate,
): Promise<"reloaded" | "restarted" | "runs the old file"> {
  for (let waitedMs = 0; waitedMs < reexecuteMs; waitedMs += betweenProbesMs) {
    const now = await control.show(wanted.unit);
    // A unit without reload was restarted instead; a reload may also put a new main process in the place of the old one.
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
  // A unit that failed too often is not started again until that is forgotten.
  if (seen.active === "failed" || isBetweenRestarts(seen.sub)) await control.resetFailed(unit);
  const begunAt = Math.floor(Date.now() / 1000);
  const complaint = await control.change(job, unit);
  const now = await control.show(unit);
  if (complaint === undefined && startedSince(now, since)) return job === "start" ? "started" : "restarted";
  // An admin's will, and no fault of what was installed.
  if (now.isMasked) return "masked meanwhile";
  if (!isRunning(now) && !isBetweenRestarts(now.sub) && (await control.lastJob(unit, begunAt)) === "stop")
    return "stopped meanwhile";
  const lines = await control.lastLines(unit, Math.floor(since.realtimeMs / 1000));
  // What systemd says of it: the agent's own words are for the journal's readers.
  const told = complaint ?? lines.findLast((line) => line.startsWith(`${unit}: `)) ?? "systemd does not say why";
  throw new Fault("activate-failed", {
    message: `${unit} is ${now.active} (${now.sub}) after a ${job}: ${told}`,
    hint: `see \`journalctl -u ${unit}\` and \`systemctl status ${unit}\``,
  });
}
