import type { UnixSeconds, Window } from "./window.ts";
import { daySeconds, hourSeconds } from "./seconds.ts";

/** 0 is Sunday. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** The cluster's maintenance window: one hour of UTC, on these weekdays (an empty list means every day). */
export type WeeklyWindow = { readonly utcStartHour: number; readonly weekdays: readonly Weekday[] };

/** The windows around an instant, always including the open one and the next one. */
export function weeklyWindows(weekly: WeeklyWindow, now: UnixSeconds): readonly Window[] {
  const today = Math.floor(now / daySeconds);
  const windows: Window[] = [];
  for (let day = today - 1; day <= today + 8; day += 1) {
    if (weekly.weekdays.length > 0 && !weekly.weekdays.includes(weekdayOf(day))) continue;
    const start = day * daySeconds + weekly.utcStartHour * hourSeconds;
    windows.push({ start, stop: start + hourSeconds });
  }
  return windows;
}

const names = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

/** Reads short and long English names, in upper or lower case. */
export function parseWeekday(text: string): Weekday | undefined {
  const wanted = text.toLowerCase();
  const index = names.findIndex((name) => name === wanted || name.slice(0, 3) === wanted);
  return index < 0 ? undefined : (index as Weekday);
}

export function weekdayName(weekday: Weekday): string {
  const name = names[weekday];
  return name.slice(0, 1).toUpperCase() + name.slice(1, 3);
}

/** Day 0 of the epoch was a Thursday. */
export function weekdayOf(epochDay: number): Weekday {
  return ((((epochDay + 4) % 7) + 7) % 7) as Weekday;
}
