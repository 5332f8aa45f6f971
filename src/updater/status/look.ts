import type { AgentPaths, Paths } from "../../machine/files/paths.ts";
import type { ClockReading } from "../../rules/decide/clock-verdict.ts";
import { holderOf } from "../store/lock.ts";
import { seeSchedule } from "../store/schedule-file.ts";
import { withEvidence } from "../store/evidence.ts";
import { readState, type StateReading } from "../store/state-file.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { lookAtHost, readSettings, type HostPorts } from "./look-at-host.ts";
import { isPassRunning } from "./look-at-units.ts";
import { takeNotes, type Notes } from "./notes.ts";
import type { Running, ScheduleSeen, Observed } from "./observed.ts";

export type LookPorts = HostPorts & {
  readonly readClock: () => ClockReading;
};

/** Looks at everything at the same time. Changes nothing, asks nobody outside, and reports what it could not see. */
export async function look(ports: LookPorts): Promise<Observed> {
  const { paths } = ports.sources;
  const { units } = ports;
  const notes = takeNotes();
  const clock = ports.readClock();
  const state = readWhole(paths);
  if (state.kind === "denied") notes.add(`what earlier passes left may not be read by this user: ${paths.state}`);
  const settings = await readSettings(ports, notes);
  const { agentPaths } = settings;
  const schedule = lookAtSchedule(agentPaths, clock.now, notes);
  const hasUnits = typeof units !== "string";
  const [{ agent, ...host }, timer, isUnitRunning] = await Promise.all([
    lookAtHost(ports, { clock, state, settings, schedule, notes }),
    hasUnits ? notes.attempt(units.showTimer()) : undefined,
    hasUnits ? notes.attempt(isPassRunning(units)) : undefined,
  ]);
  return {
    ...host,
    now: clock.now,
    root: paths.root,
    agentPaths,
    state,
    schedule,
    units: hasUnits ? { kind: "units", agent, timer } : { kind: units },
    running: isUnitRunning === true ? { by: "unit" } : runningAlone(paths),
    unread: notes.lines,
  };
}

function readWhole(paths: Paths): StateReading {
  const reading = readState(paths);
  return reading.kind === "state" ? { ...reading, state: withEvidence(reading.state, paths) } : reading;
}

function lookAtSchedule({ schedule: file }: AgentPaths, now: UnixSeconds, notes: Notes): ScheduleSeen {
  const { schedule, modifiedAt: writtenAt, cluster, note, isDenied } = seeSchedule(file, now);
  if (!isDenied) return { file, schedule, writtenAt, cluster, note, access: "read" };
  notes.add(`the schedule may not be read by this user: ${file}`);
  return { file, schedule, writtenAt, cluster, note, access: "denied" };
}

/** The pass that holds the lock without the unit, for example below another root. */
export function runningAlone({ lock }: Pick<Paths, "lock">): Running | undefined {
  const holder = holderOf(lock);
  return holder?.doing.startsWith("pass ") === true ? { by: "process", pid: holder.pid } : undefined;
}
