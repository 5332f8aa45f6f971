import type { LocalWindow } from "../../rules/window/local.ts";
import type { OwnWindows } from "../../rules/window/own.ts";
import { hourSeconds } from "../../rules/window/seconds.ts";
import { weekdayName, type Weekday, type WeeklyWindow } from "../../rules/window/weekly.ts";

/** The windows that the settings set, in words. */
export function tellOwnWindows(
  { hourly, local }: Pick<OwnWindows, "hourly" | "local">,
  tellHourly: (weekly: WeeklyWindow) => string = tellHour,
): string {
  return [...hourly.map(tellHourly), ...local.map(tellLocalWindow)].join(" and ");
}

function tellHour({ utcStartHour, weekdays }: WeeklyWindow): string {
  return `${tellDays(weekdays)} at ${writtenTime(utcStartHour * hourSeconds)} UTC for an hour`;
}

function tellLocalWindow({ start, durationSeconds, weekdays, timezone }: LocalWindow): string {
  const whose = timezone ?? "the time of this host";
  return `${tellDays(weekdays)} at ${writtenTime(start)} for ${writtenDuration(durationSeconds)}, ${whose}`;
}

function tellDays(weekdays: readonly Weekday[]): string {
  return weekdays.length === 0 ? "every day" : weekdays.map(weekdayName).join(", ");
}

/** A time as the settings spell it: `02:30`. */
export function writtenTime(seconds: number): string {
  return [Math.floor(seconds / hourSeconds), Math.floor(seconds / 60) % 60]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}

/** A duration as the settings spell it: `1h30m`. */
export function writtenDuration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / hourSeconds), Math.floor(seconds / 60) % 60];
  return `${hours === 0 ? "" : `${hours}h`}${minutes === 0 ? "" : `${minutes}m`}`;
}
