import { mostEvidence } from "../record/state.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

type Argv = readonly [string, ...string[]];

/** An order that somebody gave systemd; its own restarts of an ended unit do not count. */
export type UnitJob = "start" | "stop" | "restart";

const jobs: readonly UnitJob[] = ["start", "stop", "restart"];
/** Newest first: with `--since`, older versions return the first lines, not the last. */
const journalctl: Argv = ["journalctl", "--quiet", "--no-pager", "--reverse"];
/** Up to "notice", which says why a unit failed. The many "info" lines about starts and stops would push these lines out. */
const grave = ["0", "1", "2", "3", "4", "5"].map((priority) => `PRIORITY=${priority}`);

/** After this call the journal holds everything said before it; on a busy host it lags by some hundred milliseconds. */
export const syncArgv: Argv = ["journalctl", "--sync"];

/** The last lines of the unit's own processes, and of systemd about their end; newest first. */
export function linesArgv(unit: UnitName, since: UnixSeconds | undefined): Argv {
  const matches = [`_SYSTEMD_UNIT=${unit}`, "+", "_PID=1", `UNIT=${unit}`, ...grave];
  return [...journalctl, "-o", "cat", "-n", String(mostEvidence), ...sinceThen(since), ...matches];
}

export function parseLines(output: string): readonly string[] {
  return output
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, mostEvidence)
    .toReversed();
}

export function jobsArgv(unit: UnitName, since: UnixSeconds): Argv {
  const matches = ["_PID=1", `UNIT=${unit}`, ...jobs.map((job) => `JOB_TYPE=${job}`)];
  return [...journalctl, "-o", "json", "--output-fields=JOB_TYPE", "-n", "1", ...sinceThen(since), ...matches];
}

export function parseLastJob(output: string): UnitJob | undefined {
  const named = /"JOB_TYPE"\s*:\s*"(\w+)"/.exec(output)?.[1];
  return jobs.find((job) => job === named);
}

function sinceThen(since: UnixSeconds | undefined): readonly string[] {
  return since === undefined ? [] : [`--since=@${since}`];
}
