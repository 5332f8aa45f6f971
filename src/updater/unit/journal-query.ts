import { mostEvidence } from "../record/state.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

type Argv = readonly [string, ...string[]];

/** What systemd was told to do with a unit; its own restarts of a unit that ended are none of these. */
export type UnitJob = "start" | "stop" | "restart";

const jobs: readonly UnitJob[] = ["start", "stop", "restart"];
/** Backwards: with `--since`, older versions give the first so many lines and not the last. */
const journalctl: Argv = ["journalctl", "--quiet", "--no-pager", "--reverse"];
/** Down to "notice": that it failed, and of what. Every start, stop and restart is "info", and would crowd out the rest. */
const grave = ["0", "1", "2", "3", "4", "5"].map((priority) => `PRIORITY=${priority}`);

/** What was said before this call is in the journal after it; a busy host is some hundred milliseconds behind. */
export const syncArgv: Argv = ["journalctl", "--sync"];

/** The last lines, newest first, of the unit's own processes, and what systemd has to say of their end. */
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
