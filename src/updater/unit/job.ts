import type { CommandResult, RunCommand } from "../../machine/processes/command.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { isCutOff } from "../../machine/processes/ask-systemd-again.ts";
import { toolEnvironment } from "./environment.ts";
import { stopwatch as realStopwatch, type Stopwatch } from "../../machine/clocks/stopwatch.ts";
import { thisMoment } from "./moment.ts";
import { jobsArgv, parseLastJob, syncArgv, type UnitJob } from "./journal-query.ts";
import { askTimeoutMs, showProperties } from "./properties.ts";

export type Job = "start" | "stop" | "restart" | "reload-or-restart";

/** How long to wait for a job; `stopping` may end the wait earlier. */
export type JobLimits = { readonly timeoutMs: number; readonly stopping?: AbortSignal };

export type ToDo = JobLimits & { readonly how: Job; readonly unit: UnitName };

/** How often to order a job that leaves no trace. A unit that ends at once leaves none, and PID 1 may execute itself again several times. */
const mostOrders = 10;
const betweenLooksMs = 300;

/**
 * Has systemd do a job with a unit and waits for its end. When PID 1 executes itself again, systemctl loses its connection and ends, but the job goes
 * on. So this looks for the job first, and orders it again only if it never arrived.
 */
export async function doJob(run: RunCommand, todo: ToDo, stopwatch: Stopwatch = realStopwatch): Promise<CommandResult> {
  const { how, unit, timeoutMs, stopping } = todo;
  const deadlineMs = stopwatch.nowMs() + timeoutMs;
  const since = thisMoment();
  const argv = ["systemctl", how, "--", unit] as const;
  const leftMs = (): number => Math.max(1, Math.round(deadlineMs - stopwatch.nowMs()));
  for (let orders = 1; ; orders += 1) {
    // oxlint-disable-next-line no-await-in-loop -- given again only after the order before it was lost
    const result = await run({ argv, env: toolEnvironment, timeoutMs: leftMs(), ...(stopping && { signal: stopping }) });
    if (stopping?.aborted === true || !isCutOff(result)) return result;
    // oxlint-disable-next-line no-await-in-loop
    const found = await follow(run, { ...todo, deadlineMs, sinceUs: since.monotonicUs }, stopwatch);
    if (found.kind === "late") return { kind: "timed-out", afterMs: timeoutMs };
    // systemd forgets an ended unit that nobody refers to, and when it ran; the journal remembers.
    // oxlint-disable-next-line no-await-in-loop
    if (found.kind === "done" || (await askLastJob(run, unit, since.realtimeMs / 1000)) !== undefined)
      return endOf(found.look, todo);
    if (orders === mostOrders) return result;
  }
}

const names = ["ActiveState", "SubState", "Result", "Job", "InactiveExitTimestampMonotonic"] as const;

type Look = Readonly<Record<(typeof names)[number], string>>;

type Following = ToDo & { readonly deadlineMs: number; readonly sinceUs: number };

/** "nothing" means that systemd shows neither the job nor a trace of it. */
type Found = { readonly kind: "done" | "nothing"; readonly look: Look } | { readonly kind: "late" };

async function follow(run: RunCommand, following: Following, stopwatch: Stopwatch): Promise<Found> {
  const { how, unit, deadlineMs, sinceUs, stopping } = following;
  for (let wasSeen = false; ;) {
    // oxlint-disable-next-line no-await-in-loop -- the point is to look again and again
    const look = await showProperties(run, unit, names);
    const isUnderWay = Number(look.Job) > 0;
    wasSeen ||= isUnderWay || hasHappened(how, look, sinceUs);
    if (!isUnderWay) return { kind: wasSeen ? "done" : "nothing", look };
    if (stopwatch.nowMs() >= deadlineMs || stopping?.aborted === true) return { kind: "late" };
    // oxlint-disable-next-line no-await-in-loop -- the point is to wait in between
    await stopwatch.wait(betweenLooksMs);
  }
}

/** Whether the job has run already. A reload leaves no trace, but may safely run twice. */
function hasHappened(how: Job, { ActiveState, InactiveExitTimestampMonotonic }: Look, sinceUs: number): boolean {
  if (how === "stop") return ActiveState === "inactive" || ActiveState === "failed";
  return Number(InactiveExitTimestampMonotonic) >= sinceUs;
}

/** The result that systemctl would give: a failed unit means a failed job. */
function endOf({ ActiveState, SubState, Result }: Look, { how, unit }: ToDo): CommandResult {
  const isIll = how !== "stop" && (ActiveState === "failed" || SubState.startsWith("auto-restart"));
  const stderr = isIll ? `the job to ${how} ${unit} failed: its result is ${Result}` : "";
  return { kind: "exited", status: isIll ? 1 : 0, stdout: "", stderr };
}

/** The last order that systemd got for the unit since then, if the journal has it. */
export async function askLastJob(run: RunCommand, unit: UnitName, since: UnixSeconds): Promise<UnitJob | undefined> {
  await run({ argv: syncArgv, env: toolEnvironment, timeoutMs: askTimeoutMs });
  const result = await run({ argv: jobsArgv(unit, since), env: toolEnvironment, timeoutMs: askTimeoutMs });
  return result.kind === "exited" ? parseLastJob(result.stdout) : undefined;
}
