import { daySeconds, hourSeconds } from "./seconds.ts";
import { weekdayOf, type WeeklyWindow } from "./weekly.ts";
import type { UnixSeconds, Window } from "./window.ts";

/** Less of a window is not exported to hosts: no move would fit into it. */
export const shortestPieceSeconds = 600;

/** A freeze of a year is looked behind; what opens later than that is as good as never. */
const daysAhead = 400;

type Configured = { readonly weekly: WeeklyWindow; readonly blackouts: readonly Window[] };

/** When the window of every week opens next, where no blackout has the hour: the first of them after an instant. */
export function nextOpenings(configured: Configured, now: UnixSeconds, most: number): readonly UnixSeconds[] {
  const openings: UnixSeconds[] = [];
  for (const { start } of piecesFrom(configured, now)) {
    if (openings.length === most) break;
    if (start > now) openings.push(start);
  }
  return openings;
}

/** What is open or opens within some time; and the next opening always, however far it is: a freeze must not look like no window. */
export function windowsWithin(configured: Configured, now: UnixSeconds, aheadSeconds: number): readonly Window[] {
  const windows: Window[] = [];
  for (const piece of piecesFrom(configured, now)) {
    const hasNext = windows.some(({ start }) => start > now);
    if (hasNext && piece.start >= now + aheadSeconds) break;
    windows.push(piece);
  }
  return windows;
}

/** In their order: what is left of every window that is not over. */
function* piecesFrom({ weekly, blackouts }: Configured, now: UnixSeconds): Generator<Window> {
  const today = Math.floor(now / daySeconds);
  for (let day = today; day <= today + daysAhead; day += 1) {
    if (weekly.weekdays.length > 0 && !weekly.weekdays.includes(weekdayOf(day))) continue;
    const start = day * daySeconds + weekly.utcStartHour * hourSeconds;
    yield* without({ start, stop: start + hourSeconds }, blackouts).filter(({ stop }) => stop > now);
  }
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
