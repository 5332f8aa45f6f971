import type { Blackout } from "../../../rules/decide/gate-policy.ts";
import { always, answer, instant, line, list, recordOf, sometimes } from "../../../rules/shape/answer.ts";
import { truth, whole, words } from "../../../rules/shape/shape.ts";
import type { Window } from "../../../rules/window/window.ts";
import type { ClockChange } from "../../../rules/window/local.ts";
import type { ScheduleSource, ScheduleState, ScheduleView, ShownWindow } from "../schedule-view.ts";

const sources: Readonly<Record<ScheduleSource["kind"], string>> = {
  file: "a schedule file",
  window: "the setting window, which beats the file",
};

const states: Readonly<Record<ScheduleState["kind"], string>> = {
  open: "a window is open",
  closed: "no window is open, and one is to come",
  never: "the file says nop",
  missing: "there is no file",
  empty: "the file holds neither a window nor nop",
  invalid: "a line is wrong, so nothing of the file is used; the exit status is 65",
  stale: "all windows have passed",
};

const span = {
  start: always("its first second", instant, ({ start }: Window) => start),
  stop: always("the first second after it", instant, ({ stop }: Window) => stop),
};

/** `svc-upgrade status` shows these keys too. */
export const windows = list(recordOf<Window>("one window")(span));
export const blackouts = list(
  recordOf<Blackout>("nothing moves in it")({
    start: always("its first second", instant, "from"),
    stop: always("the first second after it", instant, "to"),
    reason: sometimes("why, as the settings say it", line, "reason"),
  }),
);

const changes: Readonly<Record<ClockChange, string>> = {
  "start-skipped": "the clocks are set on past its start: it opens at that moment",
  "start-twice": "the clocks show its start twice: it opens at the first",
  "end-shifted": "the clocks change while it is open: they show another end than usual, and it lasts as long as always",
};

const shownWindows = list(
  recordOf<ShownWindow>("one window")({
    ...span,
    timezone: sometimes("whose clocks show the start that was set; left out: UTC", line, "zone"),
    change: sometimes("what a change of those clocks does to it", words(changes), "change"),
  }),
);

export const scheduleAnswer = answer<ScheduleView>(
  "When upgrades may begin, by the schedule file or by the window of the settings.",
)({
  source: always("what sets the windows", words(sources), ({ source }) => source.kind),
  file: sometimes("the path of the schedule file; only where that is the source", line, ({ source }) =>
    source.kind === "file" ? source.path : undefined,
  ),
  origin: sometimes(
    "what sets the window: a file, or an environment variable; only where that is the source",
    line,
    ({ source }) => (source.kind === "window" ? source.origin : undefined),
  ),
  state: always("what the schedule means", words(states), ({ state }) => state.kind),
  open: always(
    "whether upgrades may begin: a window is open, and no blackout lasts",
    truth,
    ({ state, blackoutUntil }) => state.kind === "open" && blackoutUntil === undefined,
  ),
  until: sometimes("open: when the window closes; closed: when the next one opens", instant, ({ state }) =>
    state.kind === "open" || state.kind === "closed" ? state.until : undefined,
  ),
  since: sometimes("stale: when the last window closed", instant, ({ state }) =>
    state.kind === "stale" ? state.endedAt : undefined,
  ),
  line: sometimes(
    "invalid: the number of the line that is wrong, from 1",
    whole(1, Number.MAX_SAFE_INTEGER),
    (view) => flawIn(view)?.line,
  ),
  text: sometimes("invalid: that line", line, (view) => flawIn(view)?.text),
  why: sometimes("invalid: what is wrong, for people", line, ({ state }) => (state.kind === "invalid" ? state.why : undefined)),
  windows: always("the windows that have not passed, in their order", shownWindows, "windows"),
  blackouts: always("the blackouts that last, or cover a part of those windows", blackouts, "blackouts"),
  at: always("the moment for which all this is so: now, or what --at asked about", instant, "at"),
});

/** The line with a mistake; undefined if the whole file is invalid (line 0). */
function flawIn({ state }: ScheduleView) {
  return state.kind === "invalid" && state.line > 0 ? state : undefined;
}
