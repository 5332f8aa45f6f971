import type { LocalWindow } from "../window/local.ts";
import type { WeeklyWindow } from "../window/weekly.ts";
import { hour, timeOfDay, timezone, weekdays, windowDuration } from "./read-time.ts";
import { allowedFor } from "../shape/allowed.ts";
import { accepted, refusedAs, type SettingReading } from "../shape/reading.ts";
import { allowing, maybe, record, refined, someOf, type Of, type Shape } from "../shape/shape.ts";

/** One window of the settings: an hour of UTC, or a time in a zone. */
export type WindowRule = WeeklyWindow | LocalWindow;

export function isLocalRule(rule: WindowRule): rule is LocalWindow {
  return "start" in rule;
}

/** The two ways to set a window. */
export const ways = "utc_start_hour for an hour of UTC, or start and duration, and perhaps timezone";

/** Enough for a window on each day of the week, and more at the weekend. */
const mostWindows = 20;

/** The keys of one window. With a single window, each is a setting of its own. */
const given = record({
  utc_start_hour: maybe(hour),
  start: maybe(timeOfDay),
  duration: maybe(windowDuration),
  weekdays: maybe(weekdays),
  timezone: maybe(timezone),
});

export const windows: Shape<readonly WindowRule[]> = allowing(
  "a mapping with utc_start_hour, or with start and duration, or a list of such mappings, for example {utc_start_hour: 3}",
  someOf(refined(given, ruleOf), mostWindows),
);

function ruleOf(window: Of<typeof given>): SettingReading<WindowRule> {
  const { utc_start_hour: utcStartHour, start, duration, weekdays: days = [], timezone: zone } = window;
  if (utcStartHour !== undefined) {
    const beside = (["start", "duration", "timezone"] as const).find((name) => window[name] !== undefined);
    if (beside === undefined) return accepted({ utcStartHour, weekdays: days });
    return refusedAs([{ at: `.${beside}`, found: "it stands beside utc_start_hour", allowed: `one of both: ${ways}` }]);
  }
  if (start === undefined) return refusedAs([{ at: ".start", found: "nothing", allowed: ways }]);
  if (duration === undefined) return refusedAs([{ at: ".duration", found: "nothing", allowed: allowedFor(windowDuration) }]);
  return accepted({ start, durationSeconds: duration, weekdays: days, timezone: zone });
}
