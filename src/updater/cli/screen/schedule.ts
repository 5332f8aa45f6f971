import type { Blackout } from "../../../rules/decide/gate-policy.ts";
import type { UnixSeconds, Window } from "../../../rules/window/window.ts";
import { screenColumns, wrap } from "./wrap.ts";
import { tellMoment } from "../times/moment.ts";
import { tellLocal, tellRange } from "../times/tell-local.ts";
import { overlap, rangeOf, type ScheduleView, type ShownWindow } from "../schedule-view.ts";
import { tellOwnWindows } from "../../sentences/window.ts";
import type { ClockChange } from "../../../rules/window/local.ts";

/** A longer list is cut, because nobody would read it. */
export const mostShown = 10;

/** Prints the state now, the next windows, and the blackouts that shorten them. */
export function showSchedule(view: ScheduleView, zone: string): string {
  const { windows, blackouts } = view;
  const shown = windows.slice(0, mostShown);
  const lines = [
    ...[toldSource(view), ...toldState(view), toldMoment(view, zone)].flatMap((line) => wrap(line, screenColumns)),
    ...(shown.length === 0 ? [] : ["", "the next windows:"]),
    ...shown.flatMap((window) => [...rangeLines(window, zone, markOf(window, view)), ...changeLines(window)]),
    ...restLines(view),
    ...(blackouts.length === 0 ? [] : ["", "blackouts, in which nothing moves:"]),
    ...blackouts.flatMap((blackout) => blackoutLines(blackout, zone)),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function toldSource({ source }: ScheduleView): string {
  if (source.kind === "file") return source.path;
  const { own, origin, beats } = source;
  const isOneHour = own.local.length === 0 && own.hourly.length === 1;
  const told = isOneHour ? "" : `: ${tellOwnWindows(own)}`;
  return `the window that ${origin} sets${told}; it beats ${beats}`;
}

function toldState({ state, at, blackoutUntil }: ScheduleView): readonly string[] {
  const tell = (instant: UnixSeconds): string => tellMoment(instant, { now: at, zone: "UTC" });
  switch (state.kind) {
    case "missing":
      return ["missing: there is no such file; the agent writes it, and svc-upgrade doctor looks into why it does not"];
    case "empty":
      return ["empty: the file holds neither a window nor nop"];
    case "invalid":
      return [toldMistake(state), allowed];
    case "stale":
      return [`stale: its last window ended at ${tell(state.endedAt)}; the agent has stopped exporting it`];
    case "never":
      return ["never: the file says nop"];
    case "open":
    case "closed":
      return [
        `${state.kind} until ${tell(state.until)}`,
        ...(blackoutUntil === undefined ? [] : [`a blackout lasts until ${tell(blackoutUntil)}`]),
      ];
  }
}

/** Line 0 means that the whole file is wrong. */
function toldMistake({ line, text, why }: Extract<ScheduleView["state"], { kind: "invalid" }>): string {
  return line === 0 ? `invalid: ${why}` : `invalid, and nothing of it is used: line ${line} reads "${text}": ${why}`;
}

const allowed =
  "allowed: lines of START STOP in unix seconds, each perhaps with -> and a remark behind it; or the one word nop; lines that start with # do not count";

function toldMoment({ at }: ScheduleView, zone: string): string {
  const [utc, local] = [tellLocal(at, "UTC"), tellLocal(at, zone)];
  return `as of ${utc === local ? utc : `${utc} (${local})`}`;
}

function markOf(window: Window, { at, blackouts }: ScheduleView): string {
  if (blackouts.some((blackout) => overlap(rangeOf(blackout), window))) return "  blackout";
  return window.start <= at ? "  open" : "";
}

function restLines({ source, windows }: ScheduleView): readonly string[] {
  if (source.kind === "window") return ["  and so on, every week"];
  return windows.length > mostShown ? [`  and ${windows.length - mostShown} more`] : [];
}

function blackoutLines(blackout: Blackout, zone: string): readonly string[] {
  const reason = blackout.reason === undefined ? [] : wrap(blackout.reason, screenColumns - 4);
  return [...rangeLines(rangeOf(blackout), zone, ""), ...reason.map((line) => `    ${line}`)];
}

/** Prints a range in the zone that set it and in the host's zone, on one line if both fit. */
function rangeLines(range: ShownWindow, zone: string, mark: string): readonly string[] {
  const [set, local] = [tellRange(range, range.zone ?? "UTC"), tellRange(range, zone)];
  if (set === local) return [`  ${set}${mark}`];
  const line = `  ${set}  ${local}${mark}`;
  return line.length <= screenColumns ? [line] : [`  ${set}${mark}`, `  ${local}`];
}

const changes: Readonly<Record<ClockChange, string>> = {
  "start-skipped": "the clocks are set on past its start that day: it opens at that moment",
  "start-twice": "the clocks show its start twice that day: it opens at the first",
  "end-shifted": "the clocks change while it is open; it lasts as long as always",
};

function changeLines({ change }: ShownWindow): readonly string[] {
  return change === undefined ? [] : [`    ${changes[change]}`];
}
