import { daySeconds } from "./seconds.ts";
import type { UnixSeconds } from "./window.ts";

/** How many seconds a zone's clocks are ahead of UTC at an instant. */
export type OffsetAt = (instant: UnixSeconds) => number;

/** What a zone's clocks show, as seconds since the epoch if the zone were UTC. Used to compute days and hours. */
export type Shown = number;

export function shownAt(instant: UnixSeconds, offsetAt: OffsetAt): Shown {
  return instant + offsetAt(instant);
}

/** The instants at which the clocks show a time: none if they skip it, two if they show it twice. */
export function momentsOf(shown: Shown, offsetAt: OffsetAt): readonly UnixSeconds[] {
  const offsets = new Set([offsetBefore(shown, offsetAt), offsetAfter(shown, offsetAt)]);
  return [...offsets]
    .map((offset) => shown - offset)
    .filter((moment) => shownAt(moment, offsetAt) === shown)
    .toSorted((left, right) => left - right);
}

/** The instant of a skipped time, later by as much as the clocks were set forward. */
export function momentSetOn(shown: Shown, offsetAt: OffsetAt): UnixSeconds {
  return shown - offsetBefore(shown, offsetAt);
}

/** The instant at which the clocks skip a time: the first at which they show a later one. */
export function momentOfChange(shown: Shown, offsetAt: OffsetAt): UnixSeconds {
  const before = offsetBefore(shown, offsetAt);
  let earlier = shown - offsetAfter(shown, offsetAt);
  let changed = shown - before;
  while (changed - earlier > 1) {
    const middle = Math.floor((earlier + changed) / 2);
    if (offsetAt(middle) === before) earlier = middle;
    else changed = middle;
  }
  return changed;
}

/** The offset a day before. Good enough, because no zone changes its clocks twice within two days. */
function offsetBefore(shown: Shown, offsetAt: OffsetAt): number {
  return offsetAt(shown - daySeconds);
}

function offsetAfter(shown: Shown, offsetAt: OffsetAt): number {
  return offsetAt(shown + daySeconds);
}
