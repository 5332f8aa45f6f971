import { parseInstant } from "./instant.ts";
import { daySeconds, hourSeconds, weekSeconds } from "./seconds.ts";
import { parseWeekday, weekdayOf, type Weekday } from "./weekly.ts";
import type { UnixSeconds } from "./window.ts";

/** A typed time, read as far as possible without the current time and zone. */
export type Spoken =
  | { readonly kind: "instant"; readonly instant: UnixSeconds }
  | { readonly kind: "after"; readonly seconds: number }
  /** On a date; `day` counts from 1970-01-01. */
  | (ClockTime & { readonly kind: "dated"; readonly day: number })
  /** On the next day of that name. "any": the next time that the clocks show the time. */
  | (ClockTime & { readonly kind: "next"; readonly day: "any" | "today" | "tomorrow" | Weekday });

/** `time` is in seconds after midnight; undefined if none was typed. */
type ClockTime = { readonly time: number | undefined; readonly clocks: "local" | "UTC" };

export function parseSpoken(text: string): Spoken | undefined {
  const said = text.trim().toLowerCase().replace(/\s+/g, " ");
  const inUtc = /^(.*[:-]\d\d(?:\.\d+)?) ?(?:z|utc)$/.exec(said)?.[1];
  return (
    readUnixSeconds(said) ??
    readDuration(said) ??
    readWithOffset(said) ??
    readWords(said, "local") ??
    (inUtc === undefined ? undefined : readWords(inUtc, "UTC"))
  );
}

function readUnixSeconds(said: string): Spoken | undefined {
  const match = /^@(\d{1,12})$/.exec(said);
  return match === null ? undefined : { kind: "instant", instant: Number(match[1]) };
}

const unitSeconds = [weekSeconds, daySeconds, hourSeconds, 60, 1] as const;

/** Reads a duration. A day is 24 hours, even if the clocks change. */
function readDuration(said: string): Spoken | undefined {
  const match = /^\+?(?:(\d{1,7})w ?)?(?:(\d{1,7})d ?)?(?:(\d{1,7})h ?)?(?:(\d{1,7})m ?)?(?:(\d{1,7})s)?$/.exec(said);
  const counts = match?.slice(1) ?? [];
  if (counts.every((count) => count === undefined)) return undefined;
  return {
    kind: "after",
    seconds: unitSeconds.reduce((sum, seconds, index) => sum + seconds * Number(counts[index] ?? 0), 0),
  };
}

/** Reads RFC 3339, also as journalctl and date print it: with a blank for the T, or an offset without its colon. */
function readWithOffset(said: string): Spoken | undefined {
  const match = /^(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)? ?([+-]\d\d):?(\d\d)$/.exec(said);
  const instant = match === null ? undefined : parseInstant(`${match[1]}T${match[2]}${match[3]}:${match[4]}`);
  return instant === undefined ? undefined : { kind: "instant", instant };
}

/** Matches a day's name, a date and a time of day in this order. Each may be missing. */
const words = /^(?:([a-z]+)(?: |$))?(?:(\d{4}-\d\d-\d\d)(?:[t ](?=\d)|$))?(?:(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?$/;

function readWords(said: string, clocks: ClockTime["clocks"]): Spoken | undefined {
  const [, word, date, hour, minute, second] = words.exec(said) ?? [];
  const time = hour === undefined ? undefined : secondOfDay(Number(hour), Number(minute), Number(second ?? 0));
  if ((hour !== undefined && time === undefined) || (hour ?? word ?? date) === undefined) return undefined;
  if (date !== undefined) return onDate(date, word, { time, clocks });
  if (word === undefined) return { kind: "next", day: "any", time, clocks };
  const day = word === "today" || word === "tomorrow" ? word : parseWeekday(word);
  return day === undefined ? undefined : { kind: "next", day, time, clocks };
}

/** A time on a date. Undefined if a weekday before the date does not fit it. */
function onDate(date: string, word: string | undefined, at: ClockTime): Spoken | undefined {
  const midnight = parseInstant(date);
  if (midnight === undefined) return undefined;
  const day = midnight / daySeconds;
  return word === undefined || parseWeekday(word) === weekdayOf(day) ? { kind: "dated", day, ...at } : undefined;
}

function secondOfDay(hour: number, minute: number, second: number): number | undefined {
  return hour > 23 || minute > 59 || second > 59 ? undefined : hour * 3600 + minute * 60 + second;
}
