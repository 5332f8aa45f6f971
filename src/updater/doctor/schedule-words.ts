import { printInstant } from "../../rules/window/instant.ts";
import type { Schedule } from "../../rules/window/schedule.ts";
import { weekdayName, weekdayOf, type WeeklyWindow } from "../../rules/window/weekly.ts";
import { openingAt, type UnixSeconds } from "../../rules/window/window.ts";
import { daySeconds, hourSeconds } from "../../rules/window/seconds.ts";

/** Says what the file is or contains. The text follows the file's name. */
export function tellSchedule(schedule: Schedule, now: UnixSeconds): string {
  switch (schedule.kind) {
    case "missing":
      return "is missing";
    case "empty":
      return "is empty";
    case "invalid":
      // Line 0 means that the whole file is wrong.
      if (schedule.line === 0) return schedule.why.replace(/^the file /, "");
      return `is invalid: line ${schedule.line} reads "${schedule.text}": ${schedule.why}`;
    case "stale":
      return `is stale: its last window ended at ${printInstant(schedule.endedAt)}`;
    case "never":
      return "says never";
    case "windows": {
      const opening = openingAt(schedule.windows, now);
      if (opening.kind === "open") return `has a window open until ${printInstant(opening.until)}`;
      return `has its next window at ${opening.opensAt === undefined ? "no time" : printInstant(opening.opensAt)}`;
    }
  }
}

export function tellWeekly({ utcStartHour, weekdays }: WeeklyWindow): string {
  const days = weekdays.length === 0 ? "every day" : `on ${weekdays.map(weekdayName).join(", ")}`;
  return `${days} from ${hour(utcStartHour)} to ${hour((utcStartHour + 1) % 24)} UTC`;
}

/** A usual hour for maintenance, at which few people work, if no other is known. */
const usualHour = 2;

/** A window of the settings like the schedule's last one, because nobody agreed to another hour. */
export function windowLike(schedule: Schedule): string {
  if (schedule.kind !== "stale") return `window: {utc_start_hour: ${usualHour}}`;
  const last = schedule.endedAt - 1;
  const day = weekdayName(weekdayOf(Math.floor(last / daySeconds)));
  return `window: {utc_start_hour: ${Math.floor((last % daySeconds) / hourSeconds)}, weekdays: [${day}]}`;
}

function hour(of: number): string {
  return `${String(of).padStart(2, "0")}:00`;
}
