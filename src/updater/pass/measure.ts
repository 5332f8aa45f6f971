import { asFault, faultData } from "../../rules/fault/explain.ts";
import { build } from "../../machine/program/program-build.ts";
import type { Log } from "../../machine/logging/log.ts";
import { belowRoot, type Paths } from "../../machine/files/paths.ts";
import { metricsText } from "../metrics/updater.ts";
import type { PreparedSettings } from "../sources/settings.ts";
import { seeSchedule } from "../store/schedule-file.ts";
import { readState } from "../store/state-file.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { tellFault } from "../sentences/decision.ts";
import { dirname } from "node:path";
import { Fault } from "../../rules/fault/fault.ts";
import { errnoOf } from "../../machine/files/errno.ts";
import { barredFault, reach } from "../../machine/files/foreign-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";

type Measured = Pick<PreparedSettings, "settings" | "agentPaths">;
type Place = { readonly paths: Paths; readonly log: Log };

/** Writes the metrics after a pass, from its record. A failure is a warning and never ends the pass. */
export function leaveMetrics({ settings, agentPaths }: Measured, { paths, log }: Place, now: UnixSeconds): void {
  const { metricsFile } = settings;
  if (metricsFile === undefined) return;
  try {
    const reading = readState(paths);
    // The state was damaged during the pass, so nobody knows the result. The old metrics show their age.
    if (reading.kind !== "state") return;
    const { state } = reading;
    const schedule = seeSchedule(agentPaths.schedule, now);
    const text = metricsText({ now, release: build.version, state, settings, schedule });
    writeMetrics(placeOf(belowRoot(paths.root, metricsFile), paths), text, paths.root);
  } catch (thrown) {
    log("warning", tellFault(faultData(asFault(thrown))).sentence, {});
  }
}

/** The metrics' file. In a directory that only root can write to, the package's link leads to it. */
function placeOf(path: string, { rootsDirectory, stateDirectory }: Paths): string {
  return path === `${rootsDirectory}/metrics.prom` ? `${stateDirectory}/metrics.prom` : path;
}

/**
 * Writes the metrics so that everyone can read them: the collector has its own user, and they contain no secret. The directory may belong to that
 * user, whom the network can reach. A hostile owner can only show other metrics or none: we follow only root's links, replace a link at the name
 * itself, and never enter another user's file system.
 */
export function writeMetrics(path: string, text: string, root: string): void {
  const reached = reach(dirname(path), "follow", () => undefined);
  if (reached?.kind === "barred") throw barredFault(path, reached);
  try {
    writeFileAtomically(path, text, { root, mode: 0o644, fault: "file-failed" });
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    throw new Fault(thrown.code, { message: thrown.message, hint: hintFor(path, thrown), cause: thrown.cause });
  }
}

/** The metrics are written into `ownDirectory`; `own` is root's symbolic link to that file. */
const ownDirectory = "/var/lib/svc-upgrade-decide";
const own = "/var/lib/svc-upgrade/metrics.prom";

/** The hint for a write error, which is almost always the sandbox's. The link then works for every owner of the collector's directory. */
function hintFor(path: string, { cause, hint }: Fault): string {
  const directory = dirname(path);
  const errno = errnoOf(cause) ?? "";
  if (directory === ownDirectory || !["EROFS", "EACCES", "EPERM", "ENOENT"].includes(errno)) return hint;
  return `the user svc-upgrade may not write there: set \`metrics_file: ${own}\` and lead the collector there: \`sudo mkdir -p ${directory} && sudo ln -sf ${own} ${path}\``;
}
