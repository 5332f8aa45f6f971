import { daySeconds, hourSeconds } from "./seconds.ts";
import { weekdayOf, type WeeklyWindow } from "./weekly.ts";
import type { UnixSeconds, Window } from "./window.ts";

/** A shorter remainder of a window is not exported to hosts, because no update would fit into it. */
export const shortestPieceSeconds = 600;

/** How far to look ahead: past a freeze of a year. A later opening does not count. */
const daysAhead = 400;

type Configured = { readonly weekly: WeeklyWindow; readonly blackouts: readonly Window[] };

/** The next openings of the weekly window outside blackouts, after an instant. */
export function nextOpenings(configured: Configured, now: UnixSeconds, most: number): readonly UnixSeconds[] {
  const openings: UnixSeconds[] = [];
  for (const { start } of piecesFrom(configured, now)) {
    if (openings.length === most) break;
    if (start > now) openings.push(start);
  }
  return openings;
}

/** The windows that are open now or open within some time, and always the next one: a long freeze must not look like no window. */
export function windowsWithin(configured: Configured, now: UnixSeconds, aheadSeconds: number): readonly Window[] {
  const windows: Window[] = [];
  for (const piece of piecesFrom(configured, now)) {
    const hasNext = windows.some(({ start }) => start > now);
    if (hasNext && piece.start >= now + aheadSeconds) break;
    windows.push(piece);
  }
  return windows;
}

/** The remaining pieces of windows that are not over, in order. */
function* piecesFrom({ weekly, blackouts }: Configured, now: UnixSeconds): Generator<Window> {
  const today = Math.floor(now / daySeconds);
  for (let day = today; day <= today + daysAhead; day += 1) {
    if (weekly.weekdays.length > 0 && !weekly.weekdays.includes(weekdayOf(day))) continue;
    const start = day * daySeconds + weekly.utcStartHour * hourSeconds;
    yield* without({ start, stop: start + hourSeconds }, blackouts).filter(({ stop }) => stop > now);
  }
}

/** The pieces of a window outside blackouts that are long enough. */
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
