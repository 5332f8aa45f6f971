import { Fault } from "../../fault/fault.ts";
import { quote } from "../../fault/quote.ts";
import { parseInstant } from "../../window/instant.ts";
import { parseWeekday, weekdayOf } from "../../window/weekly.ts";
import type { UnixSeconds } from "../../window/window.ts";
import { momentSetOn, momentsOf, printWithOffset, shownAt } from "./zone.ts";
import { daySeconds, hourSeconds, weekSeconds } from "../../window/seconds.ts";

/** When and where the words are said: `tomorrow` and `03:30` mean something else elsewhere. */
export type TimeScope = { readonly now: UnixSeconds; readonly zone: string };

/**
 * A time as a person says it: with its offset, in the clocks of the zone, as the next such time, or so long from now.
 * A time that the clocks skip or show twice is refused, with the moments that may be meant: a guess could be an hour off.
 */
export function readTime(text: string, scope: TimeScope): UnixSeconds {
  const said = text.trim().toLowerCase().replace(/\s+/g, " ");
  const inUtc = /^(.*[:-]\d\d(?:\.\d+)?) ?(?:z|utc)$/.exec(said)?.[1];
  const instant =
    readUnixSeconds(said) ?? readDuration(said, scope) ?? readWithOffset(said) ?? readLocal(said, scope) ?? readUtc(inUtc, scope);
  if (instant === undefined) throw notUnderstood(text);
  if (instant < 0 || instant > lastInstant) throw outOfRange(text);
  return instant;
}

/** The last that four digits of a year can write: 9999-12-31T23:59:59Z. */
const lastInstant = 253_402_300_799;

function readUnixSeconds(said: string): UnixSeconds | undefined {
  const match = /^@(\d{1,12})$/.exec(said);
  return match === null ? undefined : Number(match[1]);
}

const unitSeconds = [weekSeconds, daySeconds, hourSeconds, 60, 1] as const;

/** A day is 24 hours here, whatever the clocks do: who means a time of day says it. */
function readDuration(said: string, { now }: TimeScope): UnixSeconds | undefined {
  const match = /^\+?(?:(\d{1,7})w ?)?(?:(\d{1,7})d ?)?(?:(\d{1,7})h ?)?(?:(\d{1,7})m ?)?(?:(\d{1,7})s)?$/.exec(said);
  const counts = match?.slice(1) ?? [];
  if (counts.every((count) => count === undefined)) return undefined;
  return unitSeconds.reduce((instant, seconds, index) => instant + seconds * Number(counts[index] ?? 0), now);
}

/** RFC 3339, also as journalctl and date print it: a blank for the T, an offset without its colon. */
function readWithOffset(said: string): UnixSeconds | undefined {
  const match = /^(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)? ?([+-]\d\d):?(\d\d)$/.exec(said);
  return match === null ? undefined : parseInstant(`${match[1]}T${match[2]}${match[3]}:${match[4]}`);
}

function readUtc(said: string | undefined, { now }: TimeScope): UnixSeconds | undefined {
  return said === undefined ? undefined : readLocal(said, { now, zone: "UTC" });
}

/** A day by its name, a date, a time of day: some of them, in this order. */
const words = /^(?:([a-z]+)(?: |$))?(?:(\d{4}-\d\d-\d\d)(?:[t ](?=\d)|$))?(?:(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?$/;

function readLocal(said: string, scope: TimeScope): UnixSeconds | undefined {
  const [, word, date, hour, minute, second] = words.exec(said) ?? [];
  const time = hour === undefined ? undefined : secondOfDay(Number(hour), Number(minute), Number(second ?? 0));
  if ((hour !== undefined && time === undefined) || (hour ?? word ?? date) === undefined) return undefined;
  const spoken = { said, time, scope };
  if (date !== undefined) return onDate(parseInstant(date), word, spoken);
  const today = Math.floor(shownAt(scope.now, scope.zone) / daySeconds);
  if (word === undefined) return next(today, 1, spoken);
  if (word === "today") return momentOf(today, spoken);
  if (word === "tomorrow") return momentOf(today + 1, spoken);
  const weekday = parseWeekday(word);
  return weekday === undefined ? undefined : next(today + ((weekday - weekdayOf(today) + 7) % 7), 7, spoken);
}

type Spoken = { readonly said: string; readonly time: number | undefined; readonly scope: TimeScope };

/** The day of the week before a date, as this program prints it, must be that date's own. */
function onDate(midnight: number | undefined, word: string | undefined, spoken: Spoken): UnixSeconds | undefined {
  if (midnight === undefined) return undefined;
  const day = midnight / daySeconds;
  return word === undefined || parseWeekday(word) === weekdayOf(day) ? momentOf(day, spoken) : undefined;
}

/** On the first day on which it is still to come. */
function next(first: number, everyDays: number, spoken: Spoken): UnixSeconds {
  const { time = 0, scope } = spoken;
  const shown = first * daySeconds + time;
  const last = momentsOf(shown, scope.zone).at(-1) ?? momentSetOn(shown, scope.zone);
  return momentOf(last > scope.now ? first : first + everyDays, spoken);
}

/** Without a time of day, the first moment of that day, which need not be midnight. */
function momentOf(day: number, { said, time, scope: { zone } }: Spoken): UnixSeconds {
  const shown = day * daySeconds + (time ?? 0);
  const [first, second] = momentsOf(shown, zone);
  if (time === undefined) return first ?? momentSetOn(shown, zone);
  if (first === undefined) throw skipped(said, zone, printWithOffset(momentSetOn(shown, zone), zone));
  if (second === undefined) return first;
  throw twice(said, zone, `${printWithOffset(first, zone)} or ${printWithOffset(second, zone)}`);
}

function secondOfDay(hour: number, minute: number, second: number): number | undefined {
  return hour > 23 || minute > 59 || second > 59 ? undefined : hour * 3600 + minute * 60 + second;
}

function notUnderstood(text: string): Fault {
  return new Fault("usage", {
    message: `"${quote(text)}" is no time`,
    hint: 'a time is one of: 2026-12-24, "2026-12-24 08:00", 2026-12-24T08:00:00Z, 03:30, "tomorrow 08:00", "sat 02:00", 2h, 1h30m, 3d, 2w, @1795000000',
  });
}

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
