import { asFault, exitStatus, faultData } from "../fault/explain.ts";
import { Fault } from "../fault/fault.ts";
import type { Log } from "../host/log.ts";
import type { Paths } from "../host/paths.ts";
import type { Asked } from "../plan/policy.ts";
import type { ClockReading } from "../plan/clock.ts";
import { rememberBreakdown, rememberUnreadable } from "../record/remember.ts";
import { emptyState, type PassRecord, type State, type StepInHand } from "../record/state.ts";
import type { BegunSettings } from "../record/begun-settings.ts";
import { mergeSettings } from "../settings/merge.ts";
import { readBegunSettings, writeBegunSettings } from "../store/begun-settings.ts";
import { takeLock } from "../store/lock.ts";
import { keepReserve, withReserve } from "../store/reserve.ts";
import { moveStateAside, readState, writeState } from "../store/state-file.ts";
import { leaveMetrics } from "./measure.ts";
import { runPass, type PassPorts } from "./pass.ts";
import { endpointOf, prepare, type Prepared, type SettingSources } from "./prepare.ts";
import { recover } from "./recover.ts";
import type { Endpoint, Settings } from "../settings/settings.ts";

export type Conduct = {
  readonly sources: SettingSources;
  readonly asked: Asked;
  readonly passId: string;
  readonly readClock: () => ClockReading;
  /** Builds the ports once the settings are known. */
  readonly portsFor: (prepared: Prepared, endpoint: Endpoint) => Omit<PassPorts, "noteSettings">;
};

/** A pass with all that surrounds it: one at a time, with the state of the ones before, and a record of its end in any case. */
export function conductPass(conduct: Conduct): Promise<PassRecord> {
  const { sources, asked, passId, readClock } = conduct;
  const { paths, log } = sources;
  return withLock(paths, `pass ${passId}`, async () => {
    const state = loadState(paths, readClock().now, log);
    keepReserve(paths);
    const prepared = await recordingBreakdown({ passId, readClock, paths, log }, () => prepareOrMend(conduct, state));
    const { settings } = prepared;
    try {
      return await recordingBreakdown({ passId, readClock, paths, log }, async () =>
        runPass({ settings, asked, state }, portsWith(prepared, conduct)),
      );
    } finally {
      leaveMetrics(settings, { paths, log }, readClock().now);
    }
  });
}

function portsWith(prepared: Prepared, { sources: { paths }, passId, portsFor }: Conduct): PassPorts {
  return {
    ...portsFor(prepared, endpointOf(prepared, paths)),
    noteSettings: () => writeBegunSettings(paths, passId, prepared.rows),
  };
}

/** A slip in a settings file must not leave the agent half moved: a move in hand is ended with the settings that it began with. */
async function prepareOrMend(conduct: Conduct, state: State): Promise<Prepared> {
  try {
    return await prepare(conduct.sources);
  } catch (thrown) {
    const begun = state.step?.changingSince === undefined ? undefined : begunWith(state.step, conduct.sources);
    if (begun === undefined) throw thrown;
    conduct.sources.log("warning", "the settings cannot be read; the move in hand is ended with those that it began with", {
      why: asFault(thrown).message,
    });
    await recover(state, begun.settings, portsWith(begun, conduct));
    throw thrown;
  }
}

function begunWith({ pass }: StepInHand, { paths, ownerUid }: SettingSources): Prepared | undefined {
  const begun = readBegunSettings(paths.begunSettings, ownerUid);
  return begun === undefined || begun.pass !== pass ? undefined : preparedOf(begun, paths);
}

/** Those that the last move began with, for whoever acts for a pass that uses them. */
export function settingsOfMoveInHand(paths: Paths, ownerUid: number): Settings | undefined {
  const begun = readBegunSettings(paths.begunSettings, ownerUid);
  return begun && preparedOf(begun, paths)?.settings;
}

function preparedOf({ values }: BegunSettings, { begunSettings }: Paths): Prepared | undefined {
  const merged = mergeSettings([{ origin: { kind: "file", path: begunSettings }, values }]);
  return merged.kind === "faults" ? undefined : { ...merged, denied: [] };
}

/** One at a time may touch the state, whatever it does. */
export async function withLock<T>(paths: Paths, doing: string, work: () => Promise<T>): Promise<T> {
  const lock = withReserve(paths, () => takeLock(paths, doing));
  if (lock.kind === "busy") throw busy(lock.holder);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** A version that failed and is undone, by this pass or for one that was cut off. */
const undone = 10;
/** A move that failed, and is not undone. */
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
      // What is half done does not heal by itself, whatever its cause.
      return outcome.back === undefined ? exitStatus(outcome.fault.code) : notUndone;
  }
}

/** An unreadable state is put aside and nothing moves until a person has looked: what failed here is not known any more. */
export function loadState(paths: Paths, now: number, log: Log): State {
  const reading = readState(paths.state);
  if (reading.kind === "state") return reading.state;
  if (reading.kind === "denied") {
    throw new Fault("not-permitted", { message: `${paths.state} may not be read by this user`, hint: "run this as root" });
  }
  const aside = moveStateAside(paths, now);
  const why = `the state file was unreadable (${reading.why}) and lies now at ${aside}`;
  log("warning", why, { fault: "state-unreadable" });
  const state = rememberUnreadable(why, now);
  writeState(paths, state);
  return state;
}

type Broken = Pick<Conduct, "passId" | "readClock"> & Pick<SettingSources, "paths" | "log">;

/** What breaks a pass off before its end is recorded as well. */
async function recordingBreakdown<T>({ passId, readClock, paths, log }: Broken, work: () => Promise<T>): Promise<T> {
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
      decision,
      outcome: { kind: "stopped", fault } as const,
      steps: [],
      recovered: undefined,
      unanswered: undefined,
    };
    try {
      writeState(paths, rememberBreakdown(stateSoFar(paths), record));
    } catch (unwritten) {
      // What broke the pass off is what has to be told; that it could not be recorded stands before it.
      log("warning", "the end of this pass could not be recorded", { why: asFault(unwritten).message });
    }
    throw thrown;
  }
}

/** As the broken pass left it on disk: with the step that it had begun, or found begun and could not end. */
function stateSoFar({ state }: Paths): State {
  const reading = readState(state);
  return reading.kind === "state" ? reading.state : emptyState;
}

function busy(holder: { readonly pid: number; readonly doing: string } | undefined): Fault {
  const who = holder === undefined ? "" : ` (process ${holder.pid}, ${holder.doing})`;
  return new Fault("busy", {
    message: `another pass is running${who}`,
    hint: "follow it: journalctl -fu svc-upgrade",
  });
}
