import { civilFromDay, dayFromCivil } from "./instant.ts";
import { isBefore, type MonthDay } from "./month-day.ts";
import { daySeconds } from "./seconds.ts";
import { momentOfChange, momentsOf, shownAt, type OffsetAt, type Shown } from "./wall-clock.ts";
import type { UnixSeconds, Window } from "./window.ts";

/** The end of a range: an instant, or a time on the clocks of a zone. */
export type RangeEnd =
  | { readonly kind: "instant"; readonly instant: UnixSeconds }
  | { readonly kind: "shown"; readonly shown: Shown };

/** A range that depends on a zone: from one date and time to another, or the same days of every year. */
export type LocalRange =
  | { readonly kind: "dated"; readonly from: RangeEnd; readonly to: RangeEnd }
  | { readonly kind: "yearly"; readonly from: MonthDay; readonly to: MonthDay };

/** The range as instants. A yearly range gives those that begin in the year before the span, in it, or in the year after. */
export function rangesOf(range: LocalRange, span: Window, offsetAt: OffsetAt): readonly Window[] {
  if (range.kind === "dated")
    return [{ start: momentOf("from", range.from, offsetAt), stop: momentOf("to", range.to, offsetAt) }];
  const [first, last] = [yearAt(span.start, offsetAt) - 1, yearAt(span.stop, offsetAt) + 1];
  return Array.from({ length: last - first + 1 }, (_, index) => inYear(first + index, range, offsetAt)).filter(
    // In a year without a 29th of February, a range from that day to the first of March is empty.
    ({ start, stop }) => start < stop,
  );
}

/** The range in a year. It ends in the next year if its last day is earlier in the year than its first. */
function inYear(year: number, { from, to }: Extract<LocalRange, { kind: "yearly" }>, offsetAt: OffsetAt): Window {
  const ends = isBefore(from, to) ? year : year + 1;
  return {
    start: momentOf("from", { kind: "shown", shown: midnight(year, from) }, offsetAt),
    stop: momentOf("to", { kind: "shown", shown: midnight(ends, to) }, offsetAt),
  };
}

/** In a year without a 29th of February, that day counts as the first of March. */
function midnight(year: number, day: MonthDay): Shown {
  return dayFromCivil({ year, ...day }) * daySeconds;
}

/** The instant of a range's end. If the clocks show a time twice, a range begins at the first and ends at the second, so it is never too short. */
function momentOf(end: "from" | "to", at: RangeEnd, offsetAt: OffsetAt): UnixSeconds {
  if (at.kind === "instant") return at.instant;
  const moments = momentsOf(at.shown, offsetAt);
  return moments.at(end === "from" ? 0 : -1) ?? momentOfChange(at.shown, offsetAt);
}

function yearAt(instant: UnixSeconds, offsetAt: OffsetAt): number {
  return civilFromDay(Math.floor(shownAt(instant, offsetAt) / daySeconds)).year;
}
