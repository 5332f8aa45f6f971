import type { Settings } from "../../rules/settings/settings.ts";
import type { Schedule } from "../../rules/window/schedule.ts";
import { ownWindowsAt } from "../../rules/window/own.ts";
import type { UnixSeconds, Window } from "../../rules/window/window.ts";

/** Enough for a status; more would be a calendar. */
const mostOpenings = 3;

/** The first windows that are open or still to come: from the local window, which beats the file, or from the schedule. */
export function openingsOf(settings: Settings | undefined, schedule: Schedule, now: UnixSeconds): readonly Window[] {
  const own = settings?.window;
  const windows = own === undefined ? windowsIn(schedule) : ownWindowsAt(own, now);
  return windows
    .filter(({ stop }) => stop > now)
    .toSorted((left, right) => left.start - right.start)
    .slice(0, mostOpenings);
}

function windowsIn(schedule: Schedule): readonly Window[] {
  return schedule.kind === "windows" ? schedule.windows : [];
}
