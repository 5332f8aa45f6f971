import { asFault, faultData } from "../../rules/fault/explain.ts";
import { build } from "../../machine/program/program-build.ts";
import type { Log } from "../../machine/logging/log.ts";
import { belowRoot, type Paths } from "../../machine/files/paths.ts";
import { metricsText } from "../metrics/updater.ts";
import type { PreparedSettings } from "../sources/settings.ts";
import { writeMetrics } from "../store/metrics-file.ts";
import { seeSchedule } from "../store/schedule-file.ts";
import { readState } from "../store/state-file.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { tellFault } from "../sentences/decision.ts";

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
