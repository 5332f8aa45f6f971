import { mostEvidence } from "../record/state.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

type Argv = readonly [string, ...string[]];

/** A job that somebody ordered. systemd's own restarts of an ended unit do not count. */
export type UnitJob = "start" | "stop" | "restart";

const jobs: readonly UnitJob[] = ["start", "stop", "restart"];
/** Asks for the newest lines first: with `--since`, older versions return the first lines instead of the last. */
const journalctl: Argv = ["journalctl", "--quiet", "--no-pager", "--reverse"];
/** Up to "notice", which says why a unit failed. The many "info" lines about starts and stops would displace these. */
const grave = ["0", "1", "2", "3", "4", "5"].map((priority) => `PRIORITY=${priority}`);

/** Makes the journal write all that was said before; on a busy host it is some hundred milliseconds late. */
export const syncArgv: Argv = ["journalctl", "--sync"];

/** Asks for the last lines of the unit's processes, and of systemd about their end; newest first. */
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
