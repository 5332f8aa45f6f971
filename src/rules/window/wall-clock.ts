import { daySeconds } from "./seconds.ts";
import type { UnixSeconds } from "./window.ts";

/** By how many seconds the clocks of one zone are ahead of UTC at an instant. */
export type OffsetAt = (instant: UnixSeconds) => number;

/** What the clocks of a zone show, counted as if they showed UTC: only so can days and hours be reckoned with. */
export type Shown = number;

export function shownAt(instant: UnixSeconds, offsetAt: OffsetAt): Shown {
  return instant + offsetAt(instant);
}

/** All moments at which the clocks show it: none where they are set on past it, two where they are set back over it. */
export function momentsOf(shown: Shown, offsetAt: OffsetAt): readonly UnixSeconds[] {
  const offsets = new Set([offsetBefore(shown, offsetAt), offsetAfter(shown, offsetAt)]);
  return [...offsets]
    .map((offset) => shown - offset)
    .filter((moment) => shownAt(moment, offsetAt) === shown)
    .toSorted((left, right) => left - right);
}

/** As much later as the clocks are set on past it. */
export function momentSetOn(shown: Shown, offsetAt: OffsetAt): UnixSeconds {
  return shown - offsetBefore(shown, offsetAt);
}

/** The moment at which the clocks are set on past it: the first at which they show something later. */
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

/** A day earlier and a day later stand on both sides of a change of the clocks: no zone changes them twice within two days. */
function offsetBefore(shown: Shown, offsetAt: OffsetAt): number {
  return offsetAt(shown - daySeconds);
}

function offsetAfter(shown: Shown, offsetAt: OffsetAt): number {
  return offsetAt(shown + daySeconds);
}
