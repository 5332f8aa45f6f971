import { DateTime } from "luxon";
import type { UnixSeconds } from "../../../rules/window/window.ts";
import { daySeconds, hourSeconds, weekSeconds } from "../../../rules/window/seconds.ts";

/** The host's time zone by its IANA name; `UTC` if it is unset or unknown. */
export function hostZone(): string {
  const zone = DateTime.local().zoneName ?? "";
  return DateTime.utc().setZone(zone).isValid ? zone : "UTC";
}

/** `Sun 2026-11-22 03:00 GMT+1`. The day of the week helps people plan. */
export function tellLocal(instant: UnixSeconds, zone: string): string {
  return at(instant, zone).toFormat(`${minute} ZZZZ`);
}

/**
 * `Sun 2026-11-22 02:00–03:00 UTC`. The end shows its day if it is another one, and its date after a week or more. Both ends show their
 * offset if the clocks change in between.
 */
export function tellRange(range: { readonly start: UnixSeconds; readonly stop: UnixSeconds }, zone: string): string {
  const [start, stop] = [at(range.start, zone), at(range.stop, zone)];
  const day = stop.hasSame(start, "day") ? "" : range.stop - range.start < weekSeconds ? "ccc " : "ccc yyyy-MM-dd ";
  const offset = start.offset === stop.offset ? "" : " ZZZZ";
  return `${start.toFormat(`${minute}${offset}`)}–${stop.toFormat(`${day}HH:mm ZZZZ`)}`;
}

/** `2026-10-25T02:30:00+01:00`: means one moment even if the clocks show the time twice. */
export function printWithOffset(instant: UnixSeconds, zone: string): string {
  return at(instant, zone).toISO({ suppressMilliseconds: true }) ?? "";
}

const minute = "ccc yyyy-MM-dd HH:mm";

const units: readonly (readonly [seconds: number, one: string, many: string])[] = [
  [365 * daySeconds, "year", "years"],
  [daySeconds, "day", "days"],
  [hourSeconds, "hour", "hours"],
  [60, "minute", "minutes"],
];

/** `4 minutes`, `3 hours`, `1 hour 59 minutes`: rounds down, and adds the next smaller unit to one or two of a unit. */
export function tellDuration(seconds: number): string {
  const whole = Math.floor(Math.abs(seconds));
  const largest = units.findIndex(([length]) => whole >= length);
  const unit = units[largest];
  if (unit === undefined) return counted(whole, "second", "seconds");
  const [length, one, many] = unit;
  const count = Math.floor(whole / length);
  const next = units[largest + 1];
  const rest = next === undefined ? 0 : Math.floor((whole % length) / next[0]);
  const told = counted(count, one, many);
  return next === undefined || count > 2 || rest === 0 ? told : `${told} ${counted(rest, next[1], next[2])}`;
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `4 minutes ago`, `in 3 hours`, `now`. */
export function tellDistance(instant: UnixSeconds, now: UnixSeconds): string {
  const away = instant - now;
  if (Math.abs(away) < 1) return "now";
  return away > 0 ? `in ${tellDuration(away)}` : `${tellDuration(away)} ago`;
}

function at(instant: UnixSeconds, zone: string): DateTime {
  return DateTime.fromSeconds(instant, { zone, locale: "en" });
}
