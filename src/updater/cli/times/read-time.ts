import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { clocksOf } from "../../../machine/clocks/runtime-zones.ts";
import { nearest } from "../../../rules/text/nearest.ts";
import { daySeconds } from "../../../rules/window/seconds.ts";
import { parseSpoken, type Spoken } from "../../../rules/window/typed-time.ts";
import { momentSetOn, momentsOf, shownAt } from "../../../rules/window/wall-clock.ts";
import { weekdayOf } from "../../../rules/window/weekly.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";
import { printWithOffset } from "./tell-local.ts";

/** The time and time zone of the person who typed the words, which `tomorrow` and `03:30` depend on. */
export type TimeScope = { readonly now: UnixSeconds; readonly zone: string };

/**
 * Reads a time in a person's words: with its offset, by the zone's clocks, as the next such time, or as a distance from now. Refuses a time that the
 * clocks skip or show twice, and names the possible moments: a guess could be an hour wrong.
 */
export function readTime(text: string, scope: TimeScope): UnixSeconds {
  const spoken = parseSpoken(text);
  if (spoken === undefined) throw notUnderstood(text);
  const instant = instantOf(spoken, text, scope);
  if (instant < 0 || instant > lastInstant) throw outOfRange(text);
  return instant;
}

/** The last instant with a year of four digits: 9999-12-31T23:59:59Z. */
const lastInstant = 253_402_300_799;

function instantOf(spoken: Spoken, text: string, { now, zone }: TimeScope): UnixSeconds {
  if (spoken.kind === "instant") return spoken.instant;
  if (spoken.kind === "after") return now + spoken.seconds;
  const { time } = spoken;
  const said: Said = { text, time, zone: spoken.clocks === "UTC" ? "UTC" : zone };
  if (spoken.kind === "dated") return momentOf(spoken.day, said);
  const today = Math.floor(shownAt(now, clocksOf(said.zone)) / daySeconds);
  switch (spoken.day) {
    case "any":
      return next({ first: today, everyDays: 1, now }, said);
    case "today":
      return momentOf(today, said);
    case "tomorrow":
      return momentOf(today + 1, said);
    default:
      return next({ first: today + ((spoken.day - weekdayOf(today) + 7) % 7), everyDays: 7, now }, said);
  }
}

type Said = { readonly text: string; readonly time: number | undefined; readonly zone: string };
type Days = { readonly first: number; readonly everyDays: number; readonly now: UnixSeconds };

/** The typed time on the first of these days on which it is in the future. */
function next({ first, everyDays, now }: Days, said: Said): UnixSeconds {
  const { time = 0, zone } = said;
  const shown = first * daySeconds + time;
  const clocks = clocksOf(zone);
  const last = momentsOf(shown, clocks).at(-1) ?? momentSetOn(shown, clocks);
  return momentOf(last > now ? first : first + everyDays, said);
}

/** The instant of a time on a day. Without a time, the first moment of the day, which may be later than midnight. */
function momentOf(day: number, { text, time, zone }: Said): UnixSeconds {
  const shown = day * daySeconds + (time ?? 0);
  const clocks = clocksOf(zone);
  const [first, second] = momentsOf(shown, clocks);
  if (time === undefined) return first ?? momentSetOn(shown, clocks);
  if (first === undefined) throw skipped(quote(text), zone, printWithOffset(momentSetOn(shown, clocks), zone));
  if (second === undefined) return first;
  throw twice(quote(text), zone, `${printWithOffset(first, zone)} or ${printWithOffset(second, zone)}`);
}

function notUnderstood(text: string): Fault {
  const meant = nearestTime(text);
  return new Fault("usage", {
    message: `"${quote(text)}" is no time${meant === undefined ? "" : `; did you mean ${meant}?`}`,
    hint: 'a time is one of: 2026-12-24, "2026-12-24 08:00", 2026-12-24T08:00:00Z, 03:30, "tomorrow 08:00", friday, "sat 02:00", 2h, 1h30m, 3d, 2w, @1795000000',
  });
}

/** Suggests the short form of a written-out unit, or the right spelling of a day. */
function nearestTime(text: string): string | undefined {
  const said = text.trim().toLowerCase();
  const [, count, unit] = /^(\d{1,7}) ?(week|day|hour|minute|min|second|sec)s?$/.exec(said) ?? [];
  if (count !== undefined && unit !== undefined) return `${count}${unit.charAt(0)}`;
  const [day = "", ...time] = said.split(/\s+/);
  const meant = nearest(day, days);
  return meant === undefined || time.length > 1 || !/^(?:\d{1,2}:\d\d)?$/.test(time.join(""))
    ? undefined
    : [meant, ...time].join(" ");
}

const days = ["today", "tomorrow", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

function outOfRange(text: string): Fault {
  return new Fault("usage", {
    message: `"${quote(text)}" is not in the years 1970 to 9999`,
    hint: "give a time within them, for example 2026-12-24 or 3d",
  });
}

function skipped(said: string, zone: string, later: string): Fault {
  return new Fault("usage", {
    message: `"${said}" is skipped by the clocks of ${zone}, which are set on past it`,
    hint: `give a time that they show, for example ${later}`,
  });
}

function twice(said: string, zone: string, moments: string): Fault {
  return new Fault("usage", {
    message: `"${said}" is shown twice by the clocks of ${zone}, which are set back over it`,
    hint: `say which one is meant: ${moments}`,
  });
}
