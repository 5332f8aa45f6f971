import type { ReportedUpdater } from "../api/report.ts";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { RunCommand } from "../../machine/processes/command.ts";
import { hostIdBelow } from "../../machine/files/host-id.ts";
import { pathsBelow } from "../../machine/files/paths.ts";
import { readState } from "../../updater/store/state-file.ts";
import { summedScheduleIn } from "../../updater/store/schedule-file.ts";
import { emptyState } from "../../updater/record/state.ts";
import { isGoingDown } from "../../updater/unit/going-down.ts";
import type { ClusterSchedule } from "../../rules/window/print-schedule.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { describeUpdater } from "./describe.ts";
import { seeSettings } from "./see-settings.ts";
import { seeTimer } from "./see-timer.ts";
import { watchDirectory, type Watching } from "./watch.ts";
import { writeSchedule } from "./write-schedule.ts";

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
