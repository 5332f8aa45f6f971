import type { ReportedUpdater } from "../api/report.ts";
import { existsSync, lstatSync } from "node:fs";
import { dirname } from "node:path";
import type { RunCommand } from "../../machine/processes/command.ts";
import { hostIdBelow } from "../../machine/files/host-id.ts";
import { agentPathsBelow, belowRoot, pathsBelow, type Paths } from "../../machine/files/paths.ts";
import { readState } from "../../updater/store/state-file.ts";
import { summedScheduleIn } from "../../updater/store/schedule-file.ts";
import { emptyState } from "../../updater/record/state.ts";
import { isGoingDown } from "../../updater/unit/going-down.ts";
import type { ClusterSchedule } from "../../rules/window/print-schedule.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { describeUpdater } from "./describe.ts";
import { type Watching, watchDirectory } from "./watch.ts";
import { writeSchedule } from "./write-schedule.ts";
import { isBooted, isOwnRoot } from "../../machine/processes/booted.ts";
import { agentFilesIn, mergeSettings } from "../../rules/settings/merge.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import { readSettingsFiles } from "../../updater/store/settings-files.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { showTimer, timerUnit } from "../../updater/unit/timer.ts";

/** The updater on this host, as its agent sees it. */
export type Updater = {
  /** Describes its public state; undefined without an updater. */
  readonly describe: () => Promise<ReportedUpdater | undefined>;
  /** Writes when the updater may work. "none": there is no updater, and so no place for a schedule. */
  readonly schedule: (schedule: ClusterSchedule) => Promise<"written" | "same" | "none">;
  /** Calls back when the updater's state changes, until it is closed. */
  readonly watch: (changed: () => void) => Watching;
  /** Whether somebody has told the host to go down. */
  readonly isHostGoingDown: () => Promise<boolean>;
};

export type UpdaterScope = {
  readonly root: string;
  readonly run: RunCommand;
  readonly now: () => UnixSeconds;
};

export function updaterBelow({ root, run, now }: UpdaterScope): Updater {
  const paths = pathsBelow(root);
  let isUnwritten = false;
  const seeTimerOf = async (): Promise<"on" | "off" | "missing"> => {
    const timer = await seeTimer(paths, run);
    // Without systemd, somebody starts the updater by hand.
    return timer === "missing" && existsSync(paths.state) ? "off" : timer;
  };
  return {
    describe: async () => {
      const timer = await seeTimerOf();
      if (timer === "missing") return undefined;
      const reading = readState(paths);
      const { settings, schedule } = await seeSettings(paths);
      const isWritten = !isUnwritten && summedScheduleIn(schedule) !== undefined;
      return describeUpdater(
        {
          timer,
          settings,
          state: reading.kind === "state" ? reading.state : emptyState,
          schedule: isWritten ? "written" : "none",
          hostId: hostIdBelow(root),
        },
        now(),
      );
    },
    schedule: async (told) => {
      const { schedule: path } = await seeSettings(paths);
      if (!existsSync(dirname(path)) && (await seeTimerOf()) === "missing") return "none";
      isUnwritten = true;
      const done = writeSchedule(told, { path, root: paths.root, now });
      isUnwritten = false;
      return done;
    },
    watch: (changed) => watchDirectory(paths.stateDirectory, changed),
    isHostGoingDown: () => isGoingDown(run),
  };
}

type SettingsSeen = {
  /** Undefined if the settings are invalid, or if another user could have written them. */
  readonly settings: Settings | undefined;
  /** The path of the schedule file in valid settings. */
  readonly schedule: string;
};

/** Reads the settings from the files, as far as this user may, without the environment of the updater's units. */
async function seeSettings(paths: Pick<Paths, "root" | "settingsDirectories">): Promise<SettingsSeen> {
  const ownerUid = isOwnRoot(paths) ? 0 : (process.geteuid?.() ?? 0);
  const { fragments, faults, untrusted } = await readSettingsFiles(paths.settingsDirectories, ownerUid);
  const trusted = untrusted === undefined ? fragments : [];
  const merged = mergeSettings(trusted, faults);
  return {
    settings: untrusted === undefined && merged.kind === "settings" ? merged.settings : undefined,
    schedule: agentPathsBelow(paths.root, agentFilesIn(trusted)).schedule,
  };
}

/** Whether the updater starts by itself. "missing": it is not installed as a unit. */
type TimerSeen = "on" | "off" | "missing";

/** Asks systemd. If systemd does not run or does not answer, only looks at the files. */
async function seeTimer(paths: Pick<Paths, "root">, run: RunCommand): Promise<TimerSeen> {
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
