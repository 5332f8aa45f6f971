import { lstatSync } from "node:fs";
import { Fault } from "../../rules/fault/fault.ts";
import { isBooted, isOwnRoot } from "../../machine/processes/booted.ts";
import type { RunCommand } from "../../machine/processes/command.ts";
import { belowRoot, type Paths } from "../../machine/files/paths.ts";
import { showTimer, timerUnit } from "../../updater/unit/timer.ts";

/** Whether the updater starts by itself. "missing": it is not installed as a unit. */
export type TimerSeen = "on" | "off" | "missing";

/** Asks systemd. If systemd does not run or does not answer, only looks at the files. */
export async function seeTimer(paths: Pick<Paths, "root">, run: RunCommand): Promise<TimerSeen> {
  return (isOwnRoot(paths) && isBooted() ? await askSystemd(run) : undefined) ?? byFiles(paths);
}

async function askSystemd(run: RunCommand): Promise<TimerSeen | undefined> {
  try {
    const { load, isActive } = await showTimer(run);
    if (load === "missing") return "missing";
    return isActive ? "on" : "off";
  } catch (thrown) {
    if (thrown instanceof Fault) return undefined;
    throw thrown;
  }
}

const unitFolders = ["/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"] as const;

function byFiles({ root }: Pick<Paths, "root">): TimerSeen {
  const isThere = (path: string): boolean => lstatSync(belowRoot(root, path), { throwIfNoEntry: false }) !== undefined;
  if (!unitFolders.some((folder) => isThere(`${folder}/${timerUnit}`))) return "missing";
  return isThere(`/etc/systemd/system/timers.target.wants/${timerUnit}`) ? "on" : "off";
}
