import { daySeconds, hourSeconds } from "./seconds.ts";
import { weekdayOf, type WeeklyWindow } from "./weekly.ts";
import type { UnixSeconds, Window } from "./window.ts";

/** A remainder of a window shorter than this is not sent to hosts: no update would fit into it. */
export const shortestPieceSeconds = 600;

/** How far to look ahead: farther than a freeze of a year. A later opening does not count. */
const daysAhead = 400;

type Configured = { readonly weekly: WeeklyWindow; readonly blackouts: readonly Window[] };

/** The next openings of the weekly window after an instant, outside blackouts. */
export function nextOpenings(configured: Configured, now: UnixSeconds, most: number): readonly UnixSeconds[] {
  const openings: UnixSeconds[] = [];
  for (const { start } of piecesFrom(configured, now)) {
    if (openings.length === most) break;
    if (start > now) openings.push(start);
  }
  return openings;
}

/** The windows that are open now or will open within this time, and always the next one, so that a long freeze does not look like no window. */
export function windowsWithin(configured: Configured, now: UnixSeconds, aheadSeconds: number): readonly Window[] {
  const windows: Window[] = [];
  for (const piece of piecesFrom(configured, now)) {
    const hasNext = windows.some(({ start }) => start > now);
    if (hasNext && piece.start >= now + aheadSeconds) break;
    windows.push(piece);
  }
  return windows;
}

/** How far to look back: past two weekly windows and a freeze of some weeks. */
const daysBack = 60;

/** When the last but one of the windows that have closed was opened; undefined if there is none, or it opened before `since`. */
export function lastButOneOpening(configured: Configured, now: UnixSeconds, since: UnixSeconds): UnixSeconds | undefined {
  const today = Math.floor(now / daySeconds);
  let closed = 0;
  for (let day = today; day >= today - daysBack; day -= 1) {
    const pieces = piecesOn(day, configured);
    const [first] = pieces;
    // A blackout may cut a window in two.
    if (first === undefined || pieces.some(({ stop }) => stop > now)) continue;
    closed += 1;
    if (closed === 2) return first.start >= since ? first.start : undefined;
  }
  return undefined;
}

/** The remaining pieces of windows that have not ended, in order. */
function* piecesFrom(configured: Configured, now: UnixSeconds): Generator<Window> {
  const today = Math.floor(now / daySeconds);
  for (let day = today; day <= today + daysAhead; day += 1) yield* piecesOn(day, configured).filter(({ stop }) => stop > now);
}

function piecesOn(day: number, { weekly, blackouts }: Configured): readonly Window[] {
  if (weekly.weekdays.length > 0 && !weekly.weekdays.includes(weekdayOf(day))) return [];
  const start = day * daySeconds + weekly.utcStartHour * hourSeconds;
  return without({ start, stop: start + hourSeconds }, blackouts);
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
