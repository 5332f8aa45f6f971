import { isHeld, type Hold } from "../../decide/policy.ts";
import { always, count, instant, line, list, record, sometimes, told, truth, words } from "../../shape/shown.ts";
import { openingsOf } from "../../status/openings.ts";
import type { ScheduleSeen } from "../../status/observed.ts";
import type { StatusView } from "../../status/view.ts";
import { weekdayName, type WeeklyWindow } from "../../window/weekly.ts";
import type { UnixSeconds, Window } from "../../window/window.ts";
import { blackouts, windows } from "./schedule.ts";

const windowsWhat = "open now or still to come, the first of them";
type Opening = { readonly windows: readonly Window[] };

const states: Readonly<Record<ScheduleSeen["schedule"]["kind"] | "denied", string>> = {
  windows: "it holds windows, and not all of them have passed",
  never: "it says nop",
  missing: "there is none",
  empty: "it holds neither a window nor nop",
  invalid: "a line is wrong, so nothing of it is used",
  stale: "all its windows have passed",
  denied: "this user may not read it",
};

const schedule = record<ScheduleSeen & { readonly now: UnixSeconds }>()({
  state: always(
    "what it is",
    words(() => states),
    (of) => (of.access === "denied" ? "denied" : of.schedule.kind),
  ),
  file: always("its path", line, "file"),
  written: sometimes("when it was written last", instant, "writtenAt"),
  line: sometimes(
    "invalid: the number of the line that is wrong, from 1; 0 is the file as a whole",
    count,
    (of) => flawIn(of)?.line,
  ),
  text: sometimes("invalid: that line", line, (of) => flawIn(of)?.text),
  why: sometimes("invalid: what is wrong, for people", line, (of) => flawIn(of)?.why),
  ended: sometimes("stale: when the last window closed", instant, (of) =>
    of.schedule.kind === "stale" ? of.schedule.endedAt : undefined,
  ),
  windows: always(windowsWhat, windows, (of) => openingsOf(undefined, of.schedule, of.now)),
});

function flawIn({ schedule: found, access }: ScheduleSeen) {
  return found.kind === "invalid" && access === "read" ? found : undefined;
}

const ownWindow = record<WeeklyWindow & Opening>()({
  hour: always("when it opens, in UTC, for one hour", count, "utcStartHour"),
  weekdays: always("on which days; empty: every day", list(told("Mon, Tue, and so on", line)), ({ weekdays }) =>
    weekdays.map(weekdayName),
  ),
  windows: always(windowsWhat, windows, "windows"),
});

const hold = record<Hold & { readonly now: UnixSeconds; readonly origin: string | undefined }>()({
  active: always("whether it lasts", truth, (found) => isHeld(found, found.now)),
  until: sometimes("its end; left out: until unhold", instant, "until"),
  reason: sometimes("why, as it was given", line, "reason"),
  origin: sometimes("the file that says it", line, "origin"),
});

/** When passes may move. */
export const whenKeys = {
  window: sometimes("the setting window, which beats the schedule file", ownWindow, ({ seen, openings }: StatusView) => {
    const found = seen.settings?.settings.window;
    return found && { ...found, windows: openings };
  }),
  schedule: always("the schedule file", schedule, ({ seen }: StatusView) => ({ ...seen.schedule, now: seen.now })),
  blackouts: always("those of the settings", blackouts, ({ seen }: StatusView) => seen.settings?.settings.blackouts ?? []),
  hold: sometimes("the hold of the settings", hold, ({ seen: { settings, now } }: StatusView) => {
    const found = settings?.settings.hold;
    return found && { ...found, now, origin: settings?.holdOrigin };
  }),
};
