import { daySeconds } from "./seconds.ts";
import { momentOfChange, momentsOf, shownAt, type OffsetAt } from "./wall-clock.ts";
import { weekdayOf, type Weekday } from "./weekly.ts";
import type { UnixSeconds, Window } from "./window.ts";

/** Opens at a time of day in a zone, on these days of that zone (none named: every day), and lasts so long. */
export type LocalWindow = {
  /** Seconds after midnight, as the clocks show it. */
  readonly start: number;
  readonly durationSeconds: number;
  readonly weekdays: readonly Weekday[];
  /** Undefined means the host's. */
  readonly timezone: string | undefined;
};

/** A change of the clocks skips a window's start, shows it twice, or comes while the window is open, so that the clocks show another end than expected. */
export type ClockChange = "start-skipped" | "start-twice" | "end-shifted";

export type LocalOpening = Window & { readonly change: ClockChange | undefined };

/** More than any zone's offset and any window's length. */
const marginDays = 3;

/**
 * All its windows that overlap a span, in order, each named by the day on which it opens. If the clocks skip its start it opens at that change, if
 * they show it twice, at the first; its length stays the same.
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
