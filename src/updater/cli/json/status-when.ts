import { isHeld, type Hold, type Pin } from "../../../rules/decide/gate-policy.ts";
import { always, instant, line, list, recordOf, sometimes, told } from "../../../rules/shape/answer.ts";
import { count, truth, words } from "../../../rules/shape/shape.ts";
import { openingsOf } from "../../status/openings.ts";
import type { ScheduleSeen } from "../../status/observed.ts";
import type { StatusView } from "../../status/view.ts";
import { writtenTime } from "../../sentences/window.ts";
import { isLocalRule, type WindowRule } from "../../../rules/settings/read-window.ts";
import type { OwnWindows } from "../../../rules/window/own.ts";
import { weekdayName } from "../../../rules/window/weekly.ts";
import type { UnixSeconds, Window } from "../../../rules/window/window.ts";
import { blackouts, windows } from "./schedule.ts";

const windowsWhat = "open now or still to come, the first of them";
type Opening = { readonly windows: readonly Window[] };

const states: Readonly<Record<ScheduleSeen["schedule"]["kind"] | "denied", string>> = {
  windows: "it holds windows, and not all of them have passed",
  never: "it says nop",
  missing: "the file is missing",
  empty: "it holds neither a window nor nop",
  invalid: "a line is wrong, so nothing of it is used",
  stale: "all its windows have passed",
  denied: "this user may not read it",
};

const schedule = recordOf<ScheduleSeen & { readonly now: UnixSeconds }>()({
  state: always("what it is", words(states), (of) => (of.access === "denied" ? "denied" : of.schedule.kind)),
  file: always("its path", line, "file"),
  written: sometimes("when it was written last", instant, "writtenAt"),
  cluster: sometimes("the cluster whose agent wrote it, where the file says so", line, "cluster"),
  note: sometimes("what that agent adds for people, as that this host's version does not go with the cluster's", line, "note"),
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

const weekdays = list(told("Mon, Tue, and so on", line));

const rule = recordOf<WindowRule>("one window of the setting")({
  hour: sometimes("when it opens, in UTC, for one hour; else start says when", count, (of) =>
    isLocalRule(of) ? undefined : of.utcStartHour,
  ),
  start: sometimes("when it opens, as the clocks of its time zone show it: HH:MM", line, (of) =>
    isLocalRule(of) ? writtenTime(of.start) : undefined,
  ),
  seconds: sometimes("how long it stays open from start", count, (of) => (isLocalRule(of) ? of.durationSeconds : undefined)),
  timezone: sometimes("whose clocks show start; left out: the host's", line, (of) => (isLocalRule(of) ? of.timezone : undefined)),
  weekdays: always("on which days; empty: every day", weekdays, (of) => of.weekdays.map(weekdayName)),
});

const ownWindow = recordOf<OwnWindows & Opening>()({
  hour: sometimes("of a single window: when it opens, in UTC, for one hour; not where it has start", count, ({ hourly, local }) =>
    local.length === 0 && hourly.length === 1 ? hourly[0]?.utcStartHour : undefined,
  ),
  weekdays: sometimes("of a single window: on which days; empty: every day", weekdays, (own) => {
    const [single, another] = rulesOf(own);
    return another === undefined ? single?.weekdays.map(weekdayName) : undefined;
  }),
  rules: always("each window that the setting sets", list(rule), rulesOf),
  windows: always(windowsWhat, windows, "windows"),
});

function rulesOf({ hourly, local }: OwnWindows): readonly WindowRule[] {
  return [...hourly, ...local];
}

const hold = recordOf<Hold & { readonly now: UnixSeconds; readonly origin: string | undefined }>()({
  active: always("whether it lasts", truth, (found) => isHeld(found, found.now)),
  until: sometimes("its end; left out: until unhold", instant, "until"),
  reason: sometimes("why, as it was given", line, "reason"),
  origin: sometimes("the file that says it", line, "origin"),
});

const pin = recordOf<Pin & { readonly origin: string | undefined }>()({
  version: always("the version", line, "version"),
  reason: sometimes("why, as it was given", line, "reason"),
  origin: sometimes("the file that says it", line, "origin"),
});

/** The keys about when passes may move, and about a version that is not the served one. */
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
  pin: sometimes("the version that the settings pin, whatever the channel serves", pin, ({ seen: { settings } }: StatusView) => {
    const found = settings?.settings.pin;
    return found && { ...found, origin: settings?.pinOrigin };
  }),
};
