import { DateTime } from "luxon";
import type { UnixSeconds } from "../../window/window.ts";
import { daySeconds } from "../../window/seconds.ts";

/** What the clocks of a zone show, counted as if they showed UTC: only so can days and hours be reckoned with. */
export type ShownInZone = number;

export function shownAt(instant: UnixSeconds, zone: string): ShownInZone {
  return instant + offsetAt(instant, zone);
}

/** All moments at which the clocks show it: none where they are set on past it, two where they are set back over it. */
export function momentsOf(shown: ShownInZone, zone: string): readonly UnixSeconds[] {
  const offsets = new Set([offsetBefore(shown, zone), offsetAt(shown + daySeconds, zone)]);
  return [...offsets]
    .map((offset) => shown - offset)
    .filter((moment) => shownAt(moment, zone) === shown)
    .toSorted((left, right) => left - right);
}

/** As much later as the clocks are set on past it. */
export function momentSetOn(shown: ShownInZone, zone: string): UnixSeconds {
  return shown - offsetBefore(shown, zone);
}

/** `2026-10-25T02:30:00+01:00`: what names one moment only, whatever the clocks do. */
export function printWithOffset(instant: UnixSeconds, zone: string): string {
  return DateTime.fromSeconds(instant, { zone }).toISO({ suppressMilliseconds: true }) ?? "";
}

/** A day earlier and a day later stand on both sides of a change of the clocks: no zone changes them twice within two days. */
function offsetBefore(shown: ShownInZone, zone: string): number {
  return offsetAt(shown - daySeconds, zone);
}

function offsetAt(instant: UnixSeconds, zone: string): number {
  return DateTime.fromSeconds(instant, { zone }).offset * 60;
}
