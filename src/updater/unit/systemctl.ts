import { quote } from "../../rules/text/quote.ts";
import type { CommandResult, RunCommand } from "../../machine/processes/command.ts";
import { mask } from "../../machine/logging/mask-secrets.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { askingAgain } from "../../machine/processes/ask-systemd-again.ts";
import { complaint, must } from "./complaint.ts";
import { toolEnvironment } from "./environment.ts";
import { askLastJob, doJob, type Job, type JobLimits } from "./job.ts";
import { lookAround } from "./look-around.ts";
import type { Stopwatch } from "../../machine/clocks/stopwatch.ts";
import { linesArgv, parseLines, syncArgv, type UnitJob } from "./journal-query.ts";
import { askTimeoutMs } from "./properties.ts";
import { parseShown, shownProperties, type ShownUnit } from "./shown.ts";

/** What the updater asks of systemd. Throws failures as Faults, unless the result tells them. */
export type UnitControl = {
  readonly show: (unit: UnitName) => Promise<ShownUnit>;
  readonly daemonReload: () => Promise<void>;
  readonly resetFailed: (unit: UnitName) => Promise<void>;
  /** Undefined on success; otherwise what systemctl said. */
  readonly change: (how: Job, unit: UnitName, limits?: JobLimits) => Promise<string | undefined>;
  /** The unit's last lines in the journal, oldest first, shortened and without secrets. */
  readonly lastLines: (unit: UnitName, since?: UnixSeconds) => Promise<readonly string[]>;
  /** The last job that somebody ordered since then. Undefined without one, or if the journal does not know. */
  readonly lastJob: (unit: UnitName, since: UnixSeconds) => Promise<UnitJob | undefined>;
};

/** Enough for generators and hundreds of units on a slow disk. */
const reloadTimeoutMs = 90_000;
/** A job waits for the unit's own TimeoutStopSec and TimeoutStartSec, 90 seconds each by default. */
const jobTimeoutMs = 240_000;
/** The longest log line that a message quotes. */
const longestLine = 160;

export function unitControl(run: RunCommand, stopwatch?: Stopwatch): UnitControl {
  const asking = askingAgain(run, stopwatch);
  const call = (argv: readonly [string, ...string[]], timeoutMs: number): Promise<CommandResult> =>
    asking({ argv, env: toolEnvironment, timeoutMs });
  return {
    show: async (unit) => {
      const properties = shownProperties.join(",");
      const shown = must(await call(["systemctl", "show", `--property=${properties}`, "--", unit], askTimeoutMs), `show ${unit}`);
      return lookAround(run, unit, parseShown(shown));
    },
    // These two are repeated after a failure, because doing them twice is harmless.
    daemonReload: async () => {
      must(await call(["systemctl", "daemon-reload"], reloadTimeoutMs), "daemon-reload");
    },
    resetFailed: async (unit) => {
      must(await call(["systemctl", "reset-failed", "--", unit], askTimeoutMs), `reset-failed ${unit}`);
    },
    change: async (how, unit, limits) =>
      complaint(await doJob(run, { how, unit, timeoutMs: jobTimeoutMs, ...limits }, stopwatch)),
    // Returns nothing from an unreadable journal: the lines only explain a fault, and must not hide it.
    lastLines: async (unit, since) => {
      await call(syncArgv, askTimeoutMs);
      const result = await call(linesArgv(unit, since), askTimeoutMs);
      const lines = result.kind === "exited" ? parseLines(result.stdout) : [];
      return lines.map((line) => quote(mask(line), longestLine));
    },
    lastJob: async (unit, since) => {
      // A host that is going down stops every unit, and its journal may already be gone.
      const host = await call(["systemctl", "is-system-running"], askTimeoutMs);
      if (host.kind === "exited" && host.stdout.trim() === "stopping") return "stop";
      return askLastJob(run, unit, since);
    },
  };
}
