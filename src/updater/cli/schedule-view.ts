import type { Blackout } from "../../rules/decide/gate-policy.ts";
import type { Schedule } from "../../rules/window/schedule.ts";
import { localOpenings, type ClockChange } from "../../rules/window/local.ts";
import type { OwnWindows } from "../../rules/window/own.ts";
import type { OffsetAt } from "../../rules/window/wall-clock.ts";
import { weeklyWindows } from "../../rules/window/weekly.ts";
import { openingAt, type UnixSeconds, type Window } from "../../rules/window/window.ts";
import { weekSeconds } from "../../rules/window/seconds.ts";

/** What sets the windows: a schedule file, or the settings' own window, which wins. */
export type ScheduleSource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "window"; readonly own: OwnWindows; readonly origin: string; readonly beats: string };

export type ScheduleState =
  | Exclude<Schedule, { kind: "windows" }>
  | { readonly kind: "open" | "closed"; readonly until: UnixSeconds };

/** A window, the zone whose clocks set it, and what a change of those clocks does to it. */
export type ShownWindow = Window & { readonly zone?: string; readonly change?: ClockChange | undefined };

export type ShownSchedule =
  | Exclude<Schedule, { kind: "windows" }>
  | { readonly kind: "windows"; readonly windows: readonly ShownWindow[] };

/** A schedule at one moment. */
export type ScheduleView = {
  readonly source: ScheduleSource;
  readonly at: UnixSeconds;
  readonly state: ScheduleState;
  /** The windows that have not passed, in order. */
  readonly windows: readonly ShownWindow[];
  /** Blackouts that last now, or cover a part of those windows. */
  readonly blackouts: readonly Blackout[];
  /** The end of a blackout in which nothing moves, even in an open window. */
  readonly blackoutUntil: UnixSeconds | undefined;
};

type Seen = Pick<ScheduleView, "source" | "at"> & { readonly schedule: ShownSchedule; readonly blackouts: readonly Blackout[] };

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

function stateOf(schedule: ShownSchedule, at: UnixSeconds): ScheduleState {
  if (schedule.kind !== "windows") return schedule;
  const opening = openingAt(schedule.windows, at);
  if (opening.kind === "open") return opening;
  if (opening.opensAt === undefined) throw new Error("a schedule whose windows have all passed is stale");
  return { kind: "closed", until: opening.opensAt };
}

/** The clocks of a zone that the settings name, or of the host. */
export type ClocksOf = (zone: string | undefined) => { readonly zone: string; readonly offsetAt: OffsetAt };

type Look = { readonly at: UnixSeconds; readonly openings: number; readonly clocks: ClocksOf };

/** The settings' own windows as a schedule. They never end, so the next openings stand for all. */
export function scheduleOfWindow({ hourly, local }: OwnWindows, { at, openings, clocks }: Look): ShownSchedule {
  const weeks = Array.from({ length: openings }, (_, week) => at + week * weekSeconds);
  const ofUtc = weeks.flatMap((week) => hourly.flatMap((weekly) => weeklyWindows(weekly, week)));
  const span = { start: at, stop: at + openings * weekSeconds };
  const ofZones = local.flatMap((window): readonly ShownWindow[] => {
    const { zone, offsetAt } = clocks(window.timezone);
    return localOpenings(window, span, offsetAt).map((opening) => ({ ...opening, zone }));
  });
  const once = [...new Map(ofUtc.map((window) => [window.start, window])).values()];
  const windows = [...once, ...ofZones].filter(({ stop }) => stop > at);
  return { kind: "windows", windows: windows.toSorted((left, right) => left.start - right.start).slice(0, openings) };
}
