import type { LocalWindow } from "../window/local.ts";
import type { WeeklyWindow } from "../window/weekly.ts";
import { optional, readFields } from "./read-fields.ts";
import { hour, timeOfDay, timezone, weekdays, windowDuration } from "./read-time.ts";
import { accepted, readEach, refused, refusedAs, type SettingReading } from "./reading.ts";

/** One window of the settings: an hour of UTC, or a time of some zone's clocks. */
export type WindowRule = WeeklyWindow | LocalWindow;

export function isLocalRule(rule: WindowRule): rule is LocalWindow {
  return "start" in rule;
}

/** The keys of one window. In a file that has one alone, each is a setting by itself. */
type GivenWindow = {
  readonly utc_start_hour: number | undefined;
  readonly start: number | undefined;
  readonly duration: number | undefined;
  readonly weekdays: readonly WeeklyWindow["weekdays"][number][] | undefined;
  readonly timezone: string | undefined;
};

/** The ways in which a window may be set. */
export const ways = "utc_start_hour for an hour of UTC, or start and duration, and perhaps timezone";

/** Several windows. */
export function readWindows(raw: unknown): SettingReading<readonly WindowRule[]> {
  if (!Array.isArray(raw)) return refused(raw);
  if (raw.length === 0 || raw.length > mostWindows) {
    return refusedAs([{ at: "", found: `a list of ${raw.length}`, allowed: `a list of 1 to ${mostWindows} windows` }]);
  }
  return readEach(raw, readWindow);
}

/** More than one for each day of the week and night of the weekend. */
const mostWindows = 20;

function readWindow(raw: unknown): SettingReading<WindowRule> {
  const reading = readFields<GivenWindow>(raw, {
    utc_start_hour: optional(hour),
    start: optional(timeOfDay),
    duration: optional(windowDuration),
    weekdays: optional(weekdays),
    timezone: optional(timezone),
  });
  if (reading.kind === "refused") return reading;
  const { utc_start_hour: utcStartHour, start, duration, weekdays: days = [], timezone: zone } = reading.value;
  if (utcStartHour !== undefined) {
    const beside = (["start", "duration", "timezone"] as const).find((name) => reading.value[name] !== undefined);
    if (beside === undefined) return accepted({ utcStartHour, weekdays: days });
    return refusedAs([{ at: `.${beside}`, found: "it stands beside utc_start_hour", allowed: `one of both: ${ways}` }]);
  }
  if (start === undefined) return refusedAs([{ at: ".start", found: "nothing", allowed: ways }]);
  if (duration === undefined) return refusedAs([{ at: ".duration", found: "nothing", allowed: windowDuration.allowed }]);
  return accepted({ start, durationSeconds: duration, weekdays: days, timezone: zone });
}
