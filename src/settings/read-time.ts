import { parseWeekday, type Weekday } from "../window/weekly.ts";
import { accepted, readEach, refused, type SettingReading } from "./reading.ts";

/** Watching longer tells nothing more about the agent, and a maintenance window lasts one hour. */
const longestSettleSeconds = 600;

export function readSettle(raw: unknown): SettingReading<number> {
  const match = typeof raw === "string" ? /^(0|[1-9]\d{0,2})([sm])$/.exec(raw) : null;
  if (match === null) return refused(raw);
  const seconds = Number(match[1]) * (match[2] === "s" ? 1 : 60);
  return seconds <= longestSettleSeconds ? accepted(seconds) : refused(raw);
}

export function readHour(raw: unknown): SettingReading<number> {
  return typeof raw === "number" && Number.isInteger(raw) && raw >= 0 && raw <= 23 ? accepted(raw) : refused(raw);
}

/** In the order of the week, each once. */
export function readWeekdays(raw: unknown): SettingReading<readonly Weekday[]> {
  if (!Array.isArray(raw)) return refused(raw);
  const days = readEach(raw, readWeekday);
  return days.kind === "value" ? accepted([...new Set(days.value)].toSorted((left, right) => left - right)) : days;
}

function readWeekday(raw: unknown): SettingReading<Weekday> {
  const day = typeof raw === "string" ? parseWeekday(raw) : undefined;
  return day === undefined ? refused(raw) : accepted(day);
}
