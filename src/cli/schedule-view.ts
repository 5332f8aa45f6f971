import type { Blackout } from "../decide/policy.ts";
import type { Schedule } from "../window/schedule.ts";
import { weeklyWindows, type WeeklyWindow } from "../window/weekly.ts";
import { openingAt, type UnixSeconds, type Window } from "../window/window.ts";
import { weekSeconds } from "../window/seconds.ts";

/** What sets the windows: a schedule file, or the local window, which beats it. */
export type ScheduleSource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "window"; readonly weekly: WeeklyWindow; readonly origin: string; readonly beats: string };

export type ScheduleState =
  | Exclude<Schedule, { kind: "windows" }>
  | { readonly kind: "open" | "closed"; readonly until: UnixSeconds };

/** A schedule as of one moment. */
export type ScheduleView = {
  readonly source: ScheduleSource;
  readonly at: UnixSeconds;
  readonly state: ScheduleState;
  /** The windows that have not passed, in their order. */
  readonly windows: readonly Window[];
  /** Those that last at the moment, or cover a part of those windows. */
  readonly blackouts: readonly Blackout[];
  /** Until when nothing moves, although a window may be open. */
  readonly blackoutUntil: UnixSeconds | undefined;
};

type Seen = Pick<ScheduleView, "source" | "at"> & { readonly schedule: Schedule; readonly blackouts: readonly Blackout[] };

export function viewSchedule({ source, at, schedule, blackouts }: Seen): ScheduleView {
  const all = schedule.kind === "windows" ? schedule.windows : [];
  const windows = all.filter(({ stop }) => stop > at).toSorted((left, right) => left.start - right.start);
  const blackout = openingAt(blackouts.map(rangeOf), at);
  const moments = [{ start: at, stop: at + 1 }, ...windows];
  return {
    source,
    at,
    state: stateOf(schedule, at),
    windows,
    blackouts: blackouts.filter((row) => moments.some((moment) => overlap(rangeOf(row), moment))),
    blackoutUntil: blackout.kind === "open" ? blackout.until : undefined,
  };
}

export function rangeOf({ from, to }: Blackout): Window {
  return { start: from, stop: to };
}

export function overlap(left: Window, right: Window): boolean {
  return left.start < right.stop && right.start < left.stop;
}

function stateOf(schedule: Schedule, at: UnixSeconds): ScheduleState {
  if (schedule.kind !== "windows") return schedule;
  const opening = openingAt(schedule.windows, at);
  if (opening.kind === "open") return opening;
  if (opening.opensAt === undefined) throw new Error("a schedule whose windows have all passed is stale");
  return { kind: "closed", until: opening.opensAt };
}

/** The local window as a schedule: it has no end, so its next openings stand for all. */
export function scheduleOfWindow(weekly: WeeklyWindow, at: UnixSeconds, openings: number): Schedule {
  const weeks = Array.from({ length: openings }, (_, week) => weeklyWindows(weekly, at + week * weekSeconds)).flat();
  const windows = [...new Map(weeks.map((window) => [window.start, window])).values()];
  return { kind: "windows", windows: windows.filter(({ stop }) => stop > at).slice(0, openings) };
}
