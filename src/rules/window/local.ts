import { daySeconds } from "./seconds.ts";
import { momentOfChange, momentsOf, shownAt, type OffsetAt } from "./wall-clock.ts";
import { weekdayOf, type Weekday } from "./weekly.ts";
import type { UnixSeconds, Window } from "./window.ts";

/** A window that opens at a time of day in a zone, on these weekdays of that zone (an empty list means every day). */
export type LocalWindow = {
  /** Seconds after midnight on the zone's clocks. */
  readonly start: number;
  readonly durationSeconds: number;
  readonly weekdays: readonly Weekday[];
  /** Undefined means the host's zone. */
  readonly timezone: string | undefined;
};

/** How a change of the clocks affects a window: its start is skipped or shown twice, or the clocks change before its end. */
export type ClockChange = "start-skipped" | "start-twice" | "end-shifted";

export type LocalOpening = Window & { readonly change: ClockChange | undefined };

/** Longer than any zone's offset and any window together. */
const marginDays = 3;

/**
 * The openings that overlap a span, in order. If the clocks skip the start, the window opens at that change;
 * if they show the start twice, it opens at the first. Its length stays the same.
 */
export function localOpenings(window: LocalWindow, span: Window, offsetAt: OffsetAt): readonly LocalOpening[] {
  const first = dayAt(span.start, offsetAt) - marginDays;
  const last = dayAt(span.stop, offsetAt) + marginDays;
  const openings: LocalOpening[] = [];
  for (let day = first; day <= last; day += 1) {
    if (window.weekdays.length > 0 && !window.weekdays.includes(weekdayOf(day))) continue;
    const opening = openingOn(day, window, offsetAt);
    if (opening.start < span.stop && opening.stop > span.start) openings.push(opening);
  }
  return openings;
}

function dayAt(instant: UnixSeconds, offsetAt: OffsetAt): number {
  return Math.floor(shownAt(instant, offsetAt) / daySeconds);
}

function openingOn(day: number, { start: time, durationSeconds }: LocalWindow, offsetAt: OffsetAt): LocalOpening {
  const shown = day * daySeconds + time;
  const [once, again] = momentsOf(shown, offsetAt);
  const start = once ?? momentOfChange(shown, offsetAt);
  const stop = start + durationSeconds;
  if (once === undefined) return { start, stop, change: "start-skipped" };
  if (again !== undefined) return { start, stop, change: "start-twice" };
  return { start, stop, change: offsetAt(start) === offsetAt(stop) ? undefined : "end-shifted" };
}
