import { allowing, coded, listOf, matching, parsed, whole, type Shape } from "../shape/shape.ts";
import { hourSeconds, daySeconds } from "../window/seconds.ts";
import { parseWeekday, weekdayName, type Weekday } from "../window/weekly.ts";

/** Watching longer shows nothing more about the agent, and most windows last one hour. */
const longestSettleSeconds = 600;

export const settle: Shape<number> = parsed((text) => {
  const match = /^(0|[1-9]\d{0,2})([sm])$/.exec(text);
  const seconds = Number(match?.[1]) * (match?.[2] === "s" ? 1 : 60);
  return seconds <= longestSettleSeconds ? seconds : undefined;
}, "a duration in s or m from 0s to 10m, for example 30s");

export const hour: Shape<number> = whole(0, 23);

const weekday: Shape<Weekday> = parsed(parseWeekday, "an English weekday, short or long, for example Tue", weekdayName);

/** Far more names than there are days. */
const mostNamed = 100;

/** Weekdays in the order of the week, each once. */
export const weekdays: Shape<readonly Weekday[]> = allowing(
  "a list of English weekdays, short or long, for example [Tue, Saturday]; empty: every day",
  coded(listOf(weekday, mostNamed), {
    read: (days) => [...new Set(days)].toSorted((left, right) => left - right),
    write: (days) => days,
    expected: "",
  }),
);

/** A time of day, in seconds after midnight. */
export const timeOfDay: Shape<number> = parsed((text) => {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return match === null ? undefined : Number(match[1]) * hourSeconds + Number(match[2]) * 60;
}, 'a time of day from 00:00 to 23:59 as HH:MM, for example "02:30"');

/**
 * A pass comes at least every twenty minutes, and a move may need the ten minutes after it, so in a shorter window many days would have no move. A
 * window of a whole day never closes.
 */
const shortestWindowSeconds: number = hourSeconds / 2;
const longestWindowSeconds = daySeconds;

/** A duration, in seconds. */
export const windowDuration: Shape<number> = parsed((text) => {
  const match = /^(?=.)(?:(\d{1,2})h)?(?:(\d{1,4})m)?$/.exec(text);
  const seconds = Number(match?.[1] ?? 0) * hourSeconds + Number(match?.[2] ?? 0) * 60;
  return seconds < shortestWindowSeconds || seconds > longestWindowSeconds ? undefined : seconds;
}, "a duration in h and m from 30m to 24h, for example 2h or 1h30m");

/** A time zone's name. Only the machine knows whether the zone exists. */
export const timezone: Shape<string> = matching(
  /^[A-Za-z][A-Za-z0-9+_/-]{0,63}$/,
  "the name of a time zone (IANA), for example Europe/Berlin or UTC",
);
