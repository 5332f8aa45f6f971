import { quote } from "../text/quote.ts";
import { openingAt, type UnixSeconds, type Window } from "./window.ts";

/** What a schedule file contains. */
export type ScheduleText =
  | { readonly kind: "empty" }
  | { readonly kind: "invalid"; readonly line: number; readonly text: string; readonly why: string }
  | { readonly kind: "never" }
  | { readonly kind: "windows"; readonly windows: readonly Window[] };

/** What the schedule file means at an instant. */
export type Schedule =
  | { readonly kind: "missing" }
  | { readonly kind: "empty" }
  | { readonly kind: "invalid"; readonly line: number; readonly text: string; readonly why: string }
  | { readonly kind: "stale"; readonly endedAt: UnixSeconds }
  | { readonly kind: "never" }
  | { readonly kind: "windows"; readonly windows: readonly Window[] };

/** A line is `START STOP` in unix seconds. ` -> ` and a remark may follow. */
const windowLine = /^(\d{1,10})[ \t]+(\d{1,10})(?:[ \t]+->(?:[ \t][^]*)?)?$/;

export function parseSchedule(text: string): ScheduleText {
  const windows: Window[] = [];
  let isNever = false;
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const parsed = line === "nop" ? "never" : parseWindow(line);
    if (typeof parsed === "object" && "why" in parsed) {
      return { kind: "invalid", line: index + 1, text: quote(line), why: parsed.why };
    }
    if ((parsed === "never" && windows.length > 0) || (parsed !== "never" && isNever)) {
      return {
        kind: "invalid",
        line: index + 1,
        text: quote(line),
        why: "nop stands alone: a schedule holds windows or nop, not both",
      };
    }
    if (parsed === "never") isNever = true;
    else windows.push(parsed);
  }
  if (isNever) return { kind: "never" };
  return windows.length === 0 ? { kind: "empty" } : { kind: "windows", windows };
}

/** The schedule at an instant. It is stale if all its windows have passed: the agent has stopped exporting it. */
export function scheduleAt(text: ScheduleText, now: UnixSeconds): Schedule {
  if (text.kind !== "windows") return text;
  const opening = openingAt(text.windows, now);
  if (opening.kind === "closed" && opening.opensAt === undefined) {
    return { kind: "stale", endedAt: text.windows.reduce((latest, { stop }) => Math.max(latest, stop), 0) };
  }
  return text;
}

function parseWindow(line: string): Window | { readonly why: string } {
  const match = windowLine.exec(line);
  if (match === null) return { why: "expected START STOP in unix seconds, or nop" };
  const start = Number(match[1]);
  const stop = Number(match[2]);
  if (start >= stop) return { why: "START must lie before STOP" };
  return { start, stop };
}
