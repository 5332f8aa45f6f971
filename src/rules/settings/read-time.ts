import { hourSeconds, daySeconds } from "../window/seconds.ts";
import { parseWeekday, type Weekday } from "../window/weekly.ts";
import type { Field } from "./read-fields.ts";
import { accepted, readEach, refused, type SettingReading } from "./reading.ts";

/** Watching longer tells nothing more about the agent, and most maintenance windows last one hour. */
const longestSettleSeconds = 600;

export function readSettle(raw: unknown): SettingReading<number> {
  const match = typeof raw === "string" ? /^(0|[1-9]\d{0,2})([sm])$/.exec(raw) : null;
  if (match === null) return refused(raw);
  const seconds = Number(match[1]) * (match[2] === "s" ? 1 : 60);
  return seconds <= longestSettleSeconds ? accepted(seconds) : refused(raw);
}

export const hour: Field<number> = {
  read: (raw) => (typeof raw === "number" && Number.isInteger(raw) && raw >= 0 && raw <= 23 ? accepted(raw) : refused(raw)),
  allowed: "a whole number from 0 to 23",
};

/** In the order of the week, each once. */
export const weekdays: Field<readonly Weekday[]> = {
  read: (raw) => {
    if (!Array.isArray(raw)) return refused(raw);
    const days = readEach(raw, readWeekday);
    return days.kind === "value" ? accepted([...new Set(days.value)].toSorted((left, right) => left - right)) : days;
  },
  allowed: "a list of English weekdays, short or long, for example [Tue, Saturday]; empty: every day",
};

function readWeekday(raw: unknown): SettingReading<Weekday> {
  const day = typeof raw === "string" ? parseWeekday(raw) : undefined;
  return day === undefined ? refused(raw) : accepted(day);
}

/** In seconds after midnight. */
export const timeOfDay: Field<number> = {
  read: (raw) => {
    const match = typeof raw === "string" ? /^([01]\d|2[0-3]):([0-5]\d)$/.exec(raw) : null;
    return match === null ? refused(raw) : accepted(Number(match[1]) * hourSeconds + Number(match[2]) * 60);
  },
  allowed: 'a time of day from 00:00 to 23:59 as HH:MM, for example "02:30"',
};

/**
 * A pass comes round once in up to twenty minutes, and a move may need the ten after it: in less there would be no move at all on many
 * a day. What opens every day for longer than one is never closed.
 */
const shortestWindowSeconds: number = hourSeconds / 2;
const longestWindowSeconds = daySeconds;

/** In seconds. */
export const windowDuration: Field<number> = {
  read: (raw) => {
    const match = typeof raw === "string" ? /^(?=.)(?:(\d{1,2})h)?(?:(\d{1,4})m)?$/.exec(raw) : null;
    if (match === null) return refused(raw);
    const seconds = Number(match[1] ?? 0) * hourSeconds + Number(match[2] ?? 0) * 60;
    return seconds < shortestWindowSeconds || seconds > longestWindowSeconds ? refused(raw) : accepted(seconds);
  },
  allowed: "a duration in h and m from 30m to 24h, for example 2h or 1h30m",
};

/** As it is spelled; whether there is such a zone is known to whoever knows the zones. */
export const timezone: Field<string> = {
  read: (raw) => (typeof raw === "string" && /^[A-Za-z][A-Za-z0-9+_/-]{0,63}$/.test(raw) ? accepted(raw) : refused(raw)),
  allowed: "the name of a time zone (IANA), for example Europe/Berlin or UTC",
};
