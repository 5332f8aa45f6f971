import { daySeconds, hourSeconds } from "./seconds.ts";
import { weekdayOf, type WeeklyWindow } from "./weekly.ts";
import type { UnixSeconds, Window } from "./window.ts";

/** Less of a window is not exported to hosts: no move would fit into it. */
export const shortestPieceSeconds = 600;

/** A freeze of a year is looked behind; what opens later than that is as good as never. */
const daysAhead = 400;

/** When the window of every week opens next, where no blackout has the hour: the first of them after an instant. */
export function nextOpenings(
  { weekly, blackouts }: { readonly weekly: WeeklyWindow; readonly blackouts: readonly Window[] },
  now: UnixSeconds,
  most: number,
): readonly UnixSeconds[] {
  const today = Math.floor(now / daySeconds);
  const openings: UnixSeconds[] = [];
  for (let day = today; day <= today + daysAhead && openings.length < most; day += 1) {
    if (weekly.weekdays.length > 0 && !weekly.weekdays.includes(weekdayOf(day))) continue;
    const start = day * daySeconds + weekly.utcStartHour * hourSeconds;
    const pieces = without({ start, stop: start + hourSeconds }, blackouts);
    openings.push(...pieces.map((piece) => piece.start).filter((opening) => opening > now));
  }
  return openings.slice(0, most);
}

/** What blackouts leave of a window, in pieces that are worth something. */
function without(window: Window, blackouts: readonly Window[]): readonly Window[] {
  let pieces: readonly Window[] = [window];
  for (const { start, stop } of blackouts) {
    pieces = pieces.flatMap((piece) =>
      [
        { start: piece.start, stop: Math.min(piece.stop, start) },
        { start: Math.max(piece.start, stop), stop: piece.stop },
      ].filter((left) => left.start < left.stop),
    );
  }
  return pieces.filter((piece) => piece.stop - piece.start >= shortestPieceSeconds);
}
