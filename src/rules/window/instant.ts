import type { UnixSeconds } from "./window.ts";
import { daySeconds } from "./seconds.ts";

/** Prints `2026-12-24T00:00:00Z`, always with seconds and without a fraction. */
export function printInstant(instant: UnixSeconds): string {
  const day = Math.floor(instant / daySeconds);
  const second = Math.floor(instant) - day * daySeconds;
  const { year, month, date } = civilFromDay(day);
  const clock = [Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60].map((part) => pad(part, 2)).join(":");
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(date, 2)}T${clock}Z`;
}

const instantPattern = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}))?(Z|[+-]\d{2}:\d{2}))?$/;

/** Reads RFC 3339 with an offset; a bare date is that day's first second in UTC. Refuses a local time without an offset. */
export function parseInstant(text: string): UnixSeconds | undefined {
  const match = instantPattern.exec(text);
  if (match === null) return undefined;
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, date, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  if (month < 1 || month > 12 || date < 1 || hour > 23 || minute > 59 || second > 59) return undefined;
  const day = dayFromCivil({ year, month, date });
  // Refuses the 31st of November, which the arithmetic would turn into another date.
  if (civilFromDay(day).date !== date) return undefined;
  const offset = offsetSeconds(match[7] ?? "Z");
  return offset === undefined ? undefined : day * daySeconds + hour * 3600 + minute * 60 + second - offset;
}

function offsetSeconds(text: string): number | undefined {
  if (text === "Z") return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(4, 6));
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60);
}

export type Civil = { readonly year: number; readonly month: number; readonly date: number };

// Computes with the Gregorian calendar, in eras of 400 years that begin on the first of March.
export function dayFromCivil({ year, month, date }: Civil): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + date - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

export function civilFromDay(day: number): Civil {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth + (marchMonth < 10 ? 3 : -9);
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    date: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}
