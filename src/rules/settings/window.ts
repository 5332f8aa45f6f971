import type { OwnWindows } from "../window/own.ts";
import type { WeeklyWindow } from "../window/weekly.ts";
import type { GivenValues } from "./defaults.ts";
import { originText } from "./explain.ts";
import { hour, timeOfDay, windowDuration } from "./read-time.ts";
import { isLocalRule, ways, type WindowRule } from "./read-window.ts";
import { allowedFor } from "../shape/allowed.ts";
import { describe } from "../shape/reading.ts";
import type { SettingFault } from "./settings.ts";

const keysOfOthers = {
  window: ["window.utc_start_hour", "window.weekdays", "window.start", "window.duration", "window.timezone"],
  "window.utc_start_hour": ["window", "window.start", "window.duration", "window.timezone"],
  "window.start": ["window", "window.utc_start_hour"],
} as const;

/**
 * Lays a source's values over weaker ones, key by key. A source that says when the window opens also drops the weaker source's keys for another way
 * to say it: its author does not want to undo those first.
 */
export function layOver(weaker: GivenValues, stronger: GivenValues): GivenValues {
  const kept: Record<string, unknown> = { ...weaker };
  for (const [key, others] of Object.entries(keysOfOthers)) {
    if (!Object.hasOwn(stronger, key)) continue;
    for (const other of others) delete kept[other];
  }
  return { ...kept, ...stronger };
}

/** Faults that only several keys of the window together show. Does not report keys that `isFaulty` knows as missing too. */
export function windowFaults(given: GivenValues, isFaulty: (key: string) => boolean): readonly SettingFault[] {
  const { window: list, "window.utc_start_hour": utcHour, "window.start": start, "window.weekdays": days } = given;
  const { "window.duration": duration, "window.timezone": zone } = given;
  const ofLocal = { "window.start": start, "window.duration": duration, "window.timezone": zone };
  const single = { "window.utc_start_hour": utcHour, ...ofLocal, "window.weekdays": days };
  if (list !== undefined) {
    return besides(
      single,
      `the list of windows in ${originText(list.origin)}`,
      "the list alone: each of its windows has keys of its own",
    );
  }
  // A faulty start was meant to replace this hour, so the hour does not count.
  if (utcHour !== undefined && isFaulty("window.start")) return [];
  if (utcHour !== undefined) {
    const allowed = `one of both: ${ways}`;
    return besides(ofLocal, `window.utc_start_hour of ${originText(utcHour.origin)}`, allowed).slice(0, 1);
  }
  const [named] = Object.values(single).filter((value) => value !== undefined);
  if (named === undefined) return [];
  const missing = (key: string, allowed: string): readonly SettingFault[] =>
    isFaulty(key) ? [] : [{ origin: named.origin, key, found: "nothing", allowed }];
  if (duration === undefined && zone === undefined && start === undefined) {
    if (isFaulty("window.start")) return [];
    return missing("window.utc_start_hour", `${allowedFor(hour)}; or window.start and window.duration in its place`);
  }
  return [
    ...(start === undefined ? missing("window.start", allowedFor(timeOfDay)) : []),
    ...(duration === undefined ? missing("window.duration", allowedFor(windowDuration)) : []),
  ];
}

type Some = Readonly<Record<string, GivenValues["window.start" | "window.timezone" | "window.weekdays"]>>;

function besides(keys: Some, what: string, allowed: string): readonly SettingFault[] {
  return Object.entries(keys).flatMap(([key, value]) =>
    value === undefined ? [] : [{ origin: value.origin, key, found: `${describe(value.raw)} beside ${what}`, allowed }],
  );
}

/** The settings' windows; undefined if the schedule file counts. The values must have no faults. */
export function windowsIn(given: GivenValues): OwnWindows | undefined {
  const rules = given.window?.value ?? singleRule(given);
  if (rules === undefined) return undefined;
  return {
    hourly: rules.filter((rule): rule is WeeklyWindow => !isLocalRule(rule)),
    local: rules.filter(isLocalRule),
    spans: [],
  };
}

function singleRule(given: GivenValues): readonly WindowRule[] | undefined {
  const days = given["window.weekdays"]?.value ?? [];
  const utcStartHour = given["window.utc_start_hour"]?.value;
  if (utcStartHour !== undefined) return [{ utcStartHour, weekdays: days }];
  const start = given["window.start"]?.value;
  const durationSeconds = given["window.duration"]?.value;
  if (start === undefined || durationSeconds === undefined) return undefined;
  return [{ start, durationSeconds, weekdays: days, timezone: given["window.timezone"]?.value }];
}
