import { daySeconds } from "./seconds.ts";
import { momentOfChange, momentsOf, shownAt, type OffsetAt } from "./wall-clock.ts";
import { weekdayOf, type Weekday } from "./weekly.ts";
import type { UnixSeconds, Window } from "./window.ts";

/** Opens when the clocks of a zone show a time of day, on these days of that zone (none named: every day), and lasts so long. */
export type LocalWindow = {
  /** Seconds after midnight, as the clocks show it. */
  readonly start: number;
  readonly durationSeconds: number;
  readonly weekdays: readonly Weekday[];
  /** Undefined: the host's. */
  readonly timezone: string | undefined;
};

/**
 * What a change of the clocks does to a window: they skip its start, show its start twice, or are changed while it is open, so that
 * they show another end than one would reckon.
 */
export type ClockChange = "start-skipped" | "start-twice" | "end-shifted";

export type LocalOpening = Window & { readonly change: ClockChange | undefined };

/** Longer than the clocks of any zone are set, and than any window lasts. */
const marginDays = 3;

/**
 * All of its windows that have a part in a span, in their order. Its day is the one on which it opens. Where the clocks skip its start
 * it opens at the moment of that change, where they show it twice, at the first; either way it lasts as long as it is to last.
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
