import { trimmed } from "./version.ts";

type Window = { readonly start: number; readonly stop: number };
export type NaiveSchedule =
  | { readonly kind: "empty" | "never" }
  | { readonly kind: "invalid"; readonly line: number }
  | { readonly kind: "windows"; readonly windows: readonly Window[] };

/** The schedule file, word by word. */
export function naiveSchedule(text: string): NaiveSchedule {
  const windows: Window[] = [];
  let nops = 0;
  let number = 0;
  for (const raw of text.split("\n")) {
    number += 1;
    const line = trimmed(raw);
    if (line.length === 0 || line[0] === "#") continue;
    const window = line === "nop" ? undefined : windowOf(line);
    if (line === "nop") nops += 1;
    else if (window === undefined) return { kind: "invalid", line: number };
    else windows.push(window);
    if (nops > 0 && windows.length > 0) return { kind: "invalid", line: number };
  }
  if (nops > 0) return { kind: "never" };
  return windows.length > 0 ? { kind: "windows", windows } : { kind: "empty" };
}

function windowOf(line: string): Window | undefined {
  // Only blanks and tabs part words here.
  const words = line
    .replaceAll("\t", " ")
    .split(" ")
    .filter((word) => word !== "");
  const [start, stop, arrow] = words;
  if (start === undefined || stop === undefined || !isNumber(start) || !isNumber(stop)) return undefined;
  if (arrow !== undefined && arrow !== "->") return undefined;
  return Number(start) < Number(stop) ? { start: Number(start), stop: Number(stop) } : undefined;
}

function isNumber(word: string): boolean {
  return word.length >= 1 && word.length <= 10 && Array.from(word).every((sign) => sign >= "0" && sign <= "9");
}

/** Stale when nothing of it lies ahead. */
export function isStale(windows: readonly Window[], now: number): boolean {
  for (const { stop } of windows) if (stop > now) return false;
  return true;
}

/** A time with its date, as a range of the settings may begin: by itself, by the clocks of a zone, or a date alone. */
export type NaiveDated = { readonly kind: "instant" | "shown" | "date"; readonly seconds: number };

const spoken =
  /^(?:(?<day>[a-z]+) )?(?<date>\d{4}-\d\d-\d\d)(?:[t ](?<hour>\d\d?):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.\d+)?)?)?(?<utc> ?z| ?utc)?$/;
const withOffset = /^(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d)(:\d\d)?(?:\.\d+)? ?([+-]\d\d):?(\d\d)$/;

export function naiveDated(text: string): NaiveDated | undefined {
  const said = text
    .split(/\s+/)
    .filter((word) => word !== "")
    .join(" ")
    .toLowerCase();
  if (/^@\d{1,12}$/.test(said)) return { kind: "instant", seconds: Number(said.slice(1)) };
  const offset = withOffset.exec(said);
  if (offset !== null) {
    const [, date, clock, second = ":00", hours, minutes] = offset;
    const seconds = naiveInstant(`${date}T${clock}${second}${hours}:${minutes}`);
    return seconds === undefined ? undefined : { kind: "instant", seconds };
  }
  const { day, date, hour, minute, second = "00", utc } = spoken.exec(said)?.groups ?? {};
  const midnight = date === undefined ? undefined : naiveInstant(date);
  if (midnight === undefined) return undefined;
  if (day !== undefined && naiveWeekday(day) !== new Date(midnight * 1000).getUTCDay()) return undefined;
  if (hour === undefined) return { kind: "date", seconds: midnight };
  const seconds = naiveInstant(`${date}T${hour.padStart(2, "0")}:${minute}:${second}Z`);
  return seconds === undefined ? undefined : { kind: utc === undefined ? "shown" : "instant", seconds };
}

/** RFC 3339 by the calendar of the runtime. */
export function naiveInstant(text: string): number | undefined {
  const isShape =
    /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) ||
    /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?(Z|[+-][0-9]{2}:[0-9]{2})$/.test(text);
  if (!isShape || text.includes("\n")) return undefined;
  const date = text.slice(0, 10);
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // The calendar takes the 30th of February for the 2nd of March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return undefined;
  if (text.length === 10) return midnight / 1000;
  const [hour, minute] = [Number(text.slice(11, 13)), Number(text.slice(14, 16))];
  const second = text[16] === ":" ? Number(text.slice(17, 19)) : 0;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const local = midnight / 1000 + hour * 3600 + minute * 60 + second;
  if (text.endsWith("Z")) return local;
  const [ahead, minutes] = [Number(text.slice(-5, -3)), Number(text.slice(-2))];
  if (ahead > 23 || minutes > 59) return undefined;
  const offset = ahead * 3600 + minutes * 60;
  return text.at(-6) === "-" ? local + offset : local - offset;
}

export function naiveWeekday(text: string): number | undefined {
  const match =
    /^(?:(sun(?:day)?)|(mon(?:day)?)|(tue(?:sday)?)|(wed(?:nesday)?)|(thu(?:rsday)?)|(fri(?:day)?)|(sat(?:urday)?))$/i.exec(text);
  return match === null ? undefined : match.slice(1).findIndex((group) => group !== undefined);
}
