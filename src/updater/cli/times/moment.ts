import { parseInstant } from "../../../rules/window/instant.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";
import { tellDistance, tellLocal } from "./tell-local.ts";

/** The reader's time and time zone. */
export type Beholder = { readonly now: UnixSeconds; readonly zone: string };

/** `4 minutes ago`, `in 3 hours`. Less than a minute is not counted in seconds. */
export function tellAway(instant: UnixSeconds, now: UnixSeconds): string {
  if (Math.abs(instant - now) >= 60) return tellDistance(instant, now);
  return instant > now ? "within a minute" : "just now";
}

/** `Sun 2026-11-22 03:00 GMT+1 (in 17 hours)`. */
export function tellMoment(instant: UnixSeconds, { now, zone }: Beholder): string {
  return `${tellLocal(instant, zone)} (${tellAway(instant, now)})`;
}

/**
 * Writes a sentence's instants in the reader's own time. The present moment gets no distance. Quoted text stays, because somebody typed it like that
 * or has to type it.
 */
export function tellMoments(sentence: string, beholder: Beholder): string {
  return sentence.replaceAll(/"[^"\n]*"|`[^`\n]*`|\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z/g, (found) => {
    const instant = parseInstant(found);
    if (instant === undefined) return found;
    return instant === beholder.now ? tellLocal(instant, beholder.zone) : tellMoment(instant, beholder);
  });
}
