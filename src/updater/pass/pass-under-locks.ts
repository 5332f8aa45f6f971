import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { asFault, exitStatus, faultData } from "../../rules/fault/explain.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { Paths } from "../../machine/files/paths.ts";
import type { Asked } from "../plan/host-policy.ts";
import type { ClockReading } from "../../rules/decide/clock-verdict.ts";
import { beginTelling, hasNews } from "../record/news.ts";
import { rememberBreakdown, rememberUnreadable } from "../record/remember.ts";
import type { PassRecord, State } from "../record/state.ts";
import type { BegunSettings } from "../record/begun-settings.ts";
import { mergeSettings } from "../../rules/settings/merge.ts";
import { readBegunSettings } from "../store/begun-settings.ts";
import { takeLock } from "../store/lock.ts";
import { keepReserve, withReserve } from "../store/reserve.ts";
import { moveAside, readState, stateIn, writeState } from "../store/state-file.ts";
import { leaveMetrics } from "./measure.ts";
import { runPass, type PassPorts } from "./pass.ts";
import { endpointOf, prepare, preparedOf, type PreparedSettings, type SettingSources } from "../sources/settings.ts";
import type { Endpoint, Settings } from "../../rules/settings/settings.ts";

export type Conduct = {
  readonly sources: SettingSources;
  readonly asked: Asked;
  readonly passId: string;
  readonly readClock: () => ClockReading;
  /** Makes the ports when the settings are known. */
  readonly portsFor: (prepared: PreparedSettings, endpoint: Endpoint) => PassPorts;
  /** If false, this process also changes the host, and needs that lock too. */
  readonly hasUnits: boolean;
};

/** Takes the locks, reads the state, runs a pass, and records its end in any case. */
export function conductPass(conduct: Conduct): Promise<PassRecord> {
  const { sources, asked, passId, readClock, hasUnits } = conduct;
  const { paths, log } = sources;
  const locks = hasUnits ? [paths.lock] : [paths.lock, paths.changeLock];
  return withLocks({ paths, locks, doing: `pass ${passId}` }, async () => {
    const state = loadState(paths, readClock().now, log);
    for (const lock of locks) keepReserve({ root: paths.root, directory: dirname(lock) });
    const prepared = await recordingBreakdown(conduct, () => prepareOrMend(conduct, state));
    const { settings } = prepared;
    let last = settings.notify.command.length > 0 ? beginTelling(state) : state;
    const begun = last;
    let ports: PassPorts | undefined;
    try {
      return await recordingBreakdown(conduct, async () => {
        const given = portsWith(prepared, conduct);
        ports = { ...given, saveState: (saved) => given.saveState((last = saved)) };
        return runPass({ settings, asked, state: begun }, ports);
      });
    } finally {
      const { now } = readClock();
      leaveMetrics(prepared, { paths, log }, now);
      if (ports !== undefined && isToBeTold(last, settings, paths)) {
        const { notify } = await import("./notify.ts");
        const { stopping, notifier, changeHistory } = ports;
        await notify({ paths, settings, log, now, stopping, notifier, changeHistory });
      }
    }
  });
}

/** Whether there may be something to tell. Most passes have nothing, so they do not load the code for it. */
function isToBeTold(state: State, { notify }: Settings, { notifications }: Paths): boolean {
  if (notify.command.length === 0) return state.told !== undefined;
  return hasNews(state) || existsSync(notifications);
}

function portsWith(prepared: PreparedSettings, { portsFor }: Conduct): PassPorts {
  return portsFor(prepared, endpointOf(prepared));
}

/**
 * Prepares a pass. A mistake in a settings file must not leave the agent half moved, so an unfinished move is ended with the settings that began it.
 */
async function prepareOrMend(conduct: Conduct, state: State): Promise<PreparedSettings> {
  try {
    return await prepare(conduct.sources);
  } catch (thrown) {
    const { step } = state;
    const begun = step?.changingSince === undefined ? undefined : begunWithBy(step.pass, conduct.sources);
    if (step === undefined || begun === undefined) throw thrown;
    conduct.sources.log("warning", "the settings cannot be read; the move in hand is ended with those that it began with", {
      why: asFault(thrown).message,
    });
    const { recover } = await import("./recover.ts");
    await recover({ ...state, step }, begun.settings, portsWith(begun, conduct));
    throw thrown;
  }
}

/** The settings with which that pass began its move, if they are the last ones written. */
export function begunWithBy(
  pass: string,
  { paths, ownerUid }: Pick<SettingSources, "paths" | "ownerUid">,
): PreparedSettings | undefined {
  const begun = readBegunSettings(paths.begunSettings, ownerUid);
  return begun === undefined || begun.pass !== pass ? undefined : preparedWith(begun, paths);
}

function preparedWith({ values }: BegunSettings, paths: Paths): PreparedSettings | undefined {
  const merged = mergeSettings([{ origin: { kind: "file", path: paths.begunSettings }, values }]);
  return merged.kind === "faults" ? undefined : preparedOf(merged, paths, []);
}

export type ToLock = { readonly paths: Paths; readonly locks: readonly string[]; readonly doing: string };

/** Takes the locks in this order: one lets a process touch the state, the other lets it change the host. */
export async function withLocks<T>({ paths, locks: [first, ...others], doing }: ToLock, work: () => Promise<T>): Promise<T> {
  if (first === undefined) return work();
  const { root } = paths;
  const lock = withReserve({ root, directory: dirname(first) }, () => takeLock({ root, lock: first }, doing));
  if (lock.kind === "busy") throw busy(lock.holder);
  try {
    return await withLocks({ paths, locks: others, doing }, work);
  } finally {
    lock.release();
  }
}

/** The exit status: a version failed and was rolled back, by this pass or for an unfinished one. */
const undone = 10;
/** The exit status: a move failed and was not rolled back. */
const notUndone = 11;

export function statusOf({ outcome, recovered, unanswered }: Pick<PassRecord, "outcome" | "recovered" | "unanswered">): number {
  switch (outcome.kind) {
    case "undone":
      return undone;
    case "stayed":
      if (recovered?.ended === "undone") return undone;
      return unanswered === undefined ? 0 : exitStatus(unanswered.code);
    case "moved":
      return 0;
    case "stopped":
      return exitStatus(outcome.fault.code);
    case "failed":
      // A half-done change does not repair itself, whatever its cause.
      return outcome.back === undefined ? exitStatus(outcome.fault.code) : notUndone;
  }
}

/** Reads the state. If it cannot be read, nothing moves until an administrator has looked, because earlier failures are unknown. */
export function loadState(paths: Paths, now: number, log: Log): State {
  const reading = readState(paths);
  if (reading.kind === "state") return reading.state;
  if (reading.kind === "denied") {
    throw new Fault("not-permitted", { message: `${paths.state} may not be read by this user`, hint: "run this as root" });
  }
  const why = `the state file was unreadable (${reading.why}) and lies now at ${moveAside(paths.state, paths, now)}`;
  log("warning", why, { fault: "state-unreadable" });
  const state = rememberUnreadable(why, now);
  writeState(paths, state);
  return state;
}

/** Runs the work, and records even a fault that ends the pass early. */
async function recordingBreakdown<T>({ passId, readClock, sources }: Conduct, work: () => Promise<T>): Promise<T> {
  const { paths, log } = sources;
  const startedAt = readClock().now;
  try {
    return await work();
  } catch (thrown) {
    const fault = faultData(asFault(thrown));
    const decision = { kind: "stop", fault } as const;
    const record = {
      id: passId,
      startedAt,
      seconds: 0,
      installed: undefined,
      served: undefined,
      channel: undefined,
      pin: undefined,
      decision,
      outcome: { kind: "stopped", fault } as const,
      steps: [],
      recovered: undefined,
      unanswered: undefined,
    };
    try {
      // The state on disk still has the step that this pass began, or found and could not end.
      const left = stateIn(paths);
      if (left.step?.pass === passId) {
        const { leaveBrokenOff } = await import("./leave-history.ts");
        leaveBrokenOff(left.step, record, { paths, log, readNow: () => readClock().now });
      }
      writeState(paths, rememberBreakdown(left, record));
    } catch (unwritten) {
      // Only warns, because the first fault is the one to report.
      log("warning", "the end of this pass could not be recorded", { why: asFault(unwritten).message });
    }
    throw thrown;
  }
}

export function busy(holder: { readonly pid: number; readonly doing: string } | undefined): Fault {
  const who = holder === undefined ? "" : ` (process ${holder.pid}, ${holder.doing})`;
  return new Fault("busy", {
    message: `another pass is running${who}`,
    hint: "follow it: `journalctl -fu svc-upgrade`",
  });
}
