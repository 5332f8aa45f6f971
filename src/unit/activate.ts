import { setTimeout as pause } from "node:timers/promises";
import { Fault } from "../fault/fault.ts";
import { quote } from "../fault/quote.ts";
import type { Activation, UnitName } from "../settings/settings.ts";
import type { RunningFile } from "./running-file.ts";
import { isBetweenRestarts, isRunning, type ShownUnit } from "./shown.ts";
import type { UnitControl } from "./systemctl.ts";

/** The moment before the transaction, on both clocks: units are dated by one, files by the other. */
type Moment = { readonly monotonicUs: number; readonly realtimeMs: number };

export type ToActivate = {
  readonly unit: UnitName;
  readonly how: Activation;
  /** The unit as it was before the transaction. */
  readonly before: ShownUnit;
  readonly since: Moment;
};

export type ActivateEffects = {
  readonly control: UnitControl;
  readonly runningFile: (pid: number, sinceMs: number) => Promise<RunningFile>;
};

export type Activated = "already runs the new file" | "reloaded" | "restarted" | "started" | "left stopped";

/** A reload by signal returns at once; a process that executes itself anew needs some of this. */
const reexecuteMs = 3_000;
const betweenProbesMs = 300;
/** A log line in a message. */
const longestLine = 160;

/** Now, as `ToActivate` needs it. */
export function thisMoment(): Moment {
  return { monotonicUs: Number(process.hrtime.bigint() / 1000n), realtimeMs: Date.now() };
}

/**
 * Brings the unit to run what was installed, and proves it: a plain reload leaves the old code running and all looks well.
 * What an admin had stopped stays stopped.
 */
export async function activate(effects: ActivateEffects, wanted: ToActivate): Promise<Activated> {
  const { control, runningFile } = effects;
  const { unit, before, how, since } = wanted;
  await control.daemonReload();
  const now = await control.show(unit);
  // A crash while the package was still being fetched also gives a new process, of the old file.
  if (startedSince(now, since) && (await runningFile(now.mainPid, since.realtimeMs)) !== "old")
    return "already runs the new file";
  if (!isRunning(before) && !isRunning(now)) return startAgain(control, wanted, now);
  if (how === "reload-or-restart" && isRunning(now)) {
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

/** It was down before: only what had failed against an admin's will is started. */
async function startAgain(control: UnitControl, wanted: ToActivate, now: ShownUnit): Promise<Activated> {
  const { before } = wanted;
  const wasStopped = before.active === "inactive" || before.active === "deactivating";
  if (wasStopped || !before.isEnabled || !now.isLoaded) return "left stopped";
  // A start would wait for the restart that systemd has already put off.
  return change(control, wanted, isBetweenRestarts(now.sub) ? "restart" : "start");
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
  const { unit } = wanted;
  const seen = await control.show(unit);
  // A unit that failed too often is not started again until that is forgotten.
  if (seen.active === "failed" || isBetweenRestarts(seen.sub)) await control.resetFailed(unit);
  const complaint = await control.change(job, unit);
  const now = await control.show(unit);
  if (complaint === undefined && startedSince(now, wanted.since)) return job === "start" ? "started" : "restarted";
  const lines = (await control.lastLines(unit)).map((line) => quote(line, longestLine));
  throw new Fault("activate-failed", {
    message: `${unit} is ${now.active} (${now.sub}) after a ${job}: ${complaint ?? lines.at(-1) ?? "it said nothing"}`,
    hint: `see \`journalctl -u ${unit}\` and \`systemctl status ${unit}\``,
    cause: lines.length === 0 ? undefined : new Error(lines.join("; ")),
  });
}
