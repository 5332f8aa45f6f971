import { quote } from "../../../rules/text/quote.ts";
import type { Entry, MoveEntry, Recovery } from "../../record/history.ts";
import type { NoRollback, StepInHand } from "../../record/state.ts";
import { moved } from "../../sentences/decision.ts";
import { tellStep } from "../../sentences/step.ts";
import { asWritten, isKnown } from "../../../rules/shape/unknown-keys.ts";
import type { HistoryView } from "../../status/history.ts";
import { tellMoments } from "../times/moment.ts";
import { tellLocal } from "../times/tell-local.ts";
import type { Paint } from "./paint.ts";
import { passLines } from "./status/passes.ts";
import { toned, type Reader, type Tone } from "./status/row.ts";
import { asTyped } from "./status/with-root.ts";
import { screenColumns, wrap } from "./wrap.ts";

export type HistoryScreen = { readonly zone: string; readonly paint: Paint };

/** One entry as it is printed: its time, its result and details. */
type Line = { readonly at: number; readonly told: string; readonly tone: Tone; readonly details: readonly string[] };

/** Prints a line for each move, newest first, with failures and their consequences below; and the quiet passes since. */
export function renderHistory(view: HistoryView, { zone, paint }: HistoryScreen): string {
  const { now, root, entries, step, since, unread } = view;
  const reader = { now, zone, root };
  const lines = [
    ...(step === undefined ? [] : [inHandLine(step, view)]),
    // Says only for the newest failure what to do, because older advice is out of date.
    ...entries.map((one, index) => lineOf(one, reader, index === 0 ? "with what to do" : "as it was")),
  ];
  const columns = Math.max(...lines.map(({ at }) => tellLocal(at, zone).length), 0) + 2;
  const printed = lines.map((line) => print(line, { columns, zone, paint })).join("");
  const none = lines.length === 0 && unread.length === 0 ? "Nothing was upgraded or tried on this host yet.\n" : "";
  const quiet = passLines(since, reader).flatMap((line) => indented(line, "  "));
  const sinceThen =
    quiet.length === 0 ? "" : `\n${lines.length === 0 ? "Its passes" : "Passes since"}, the last first:\n${quiet.join("")}`;
  const unseen = unread.length === 0 ? "" : `\n${unread.flatMap((line) => indented(`not seen: ${line}`, "")).join("")}`;
  return `${none}${printed}${sinceThen}${unseen}`;
}

function print(
  { at, told, tone, details }: Line,
  { columns, zone, paint }: HistoryScreen & { readonly columns: number },
): string {
  const [first = "", ...others] = wrap(told, screenColumns - columns);
  const rest = others.map((line) => `${" ".repeat(columns)}${toned(line, tone, paint)}\n`);
  const below = details.flatMap((detail) => indented(detail, "    "));
  return [`${paint.faint(tellLocal(at, zone).padEnd(columns))}${toned(first, tone, paint)}\n`, ...rest, ...below].join("");
}

function indented(line: string, margin: string): readonly string[] {
  return wrap(line, screenColumns - margin.length).map((part) => `${margin}${part}\n`);
}

function inHandLine(step: StepInHand, { isRunning, root }: HistoryView): Line {
  const { startedAt: at } = step;
  if (isRunning) return { at, told: `${tellStep(step)}: under way`, tone: "usual", details: [] };
  const details = [`the next pass goes on from there; what it waits for: ${asTyped("svc-upgrade status", root)}`];
  return { at, told: `${tellStep(step)}: did not finish`, tone: "caution", details };
}

type Manner = "with what to do" | "as it was";

function lineOf(one: Entry, reader: Reader, manner: Manner): Line {
  switch (one.kind) {
    case "move": {
      const times = again(one, reader);
      const took = one.seconds === undefined ? "" : `, ${one.seconds} s`;
      const { told, tone } = ending(one);
      // Leaves out the reason, which the word "rollback" already gives.
      const why = one.why === "rollback" ? "" : ` (${asWritten(one, "why")})`;
      return {
        at: one.at,
        told: `${told}${took}${why}${times}`,
        tone,
        details: detailsOf(one, reader, manner),
      };
    }
    case "notice-lost":
      return {
        at: one.at,
        told: `nobody was told (${one.event}): ${tellMoments(one.why, reader)}${again(one, reader)}`,
        tone: "caution",
        details: [],
      };
    case "other":
      return {
        at: one.at,
        told: `as a later release of svc-upgrade tells it: ${asWritten(one, "kind")}`,
        tone: "usual",
        details: [],
      };
  }
}

function again({ count, firstAt }: Pick<MoveEntry, "count" | "firstAt">, { zone }: Reader): string {
  return firstAt === undefined ? "" : `, ${count} times since ${tellLocal(firstAt, zone)}`;
}

function ending(move: MoveEntry): Pick<Line, "told" | "tone"> {
  const { outcome, recovered } = move;
  if (!isKnown(outcome, "kind")) return { told: `${aimOf(move)}: ${asWritten(outcome, "kind")}`, tone: "usual" };
  switch (outcome.kind) {
    case "moved":
      return { told: doneOf(move), tone: recovered === undefined ? "good" : "caution" };
    case "undone":
      return { told: `${aimOf(move)}: undone at ${where(outcome)}`, tone: "caution" };
    case "failed": {
      const left = outcome.back === undefined ? ", nothing was changed" : ", not undone";
      return { told: `${aimOf(move)}: failed at ${where(outcome)}${left}`, tone: outcome.back === undefined ? "caution" : "bad" };
    }
    case "stopped": {
      const code = asWritten(outcome.fault, "code");
      const why = code === "interrupted" ? "" : ` (${code})`;
      const then = recovered === undefined ? "" : `; ${laterOf(recovered)}`;
      const isBad = recovered?.ended === "not-mended";
      return { told: `${aimOf(move)}: did not finish${why}${then}`, tone: isBad ? "bad" : "caution" };
    }
    case "stayed":
      return { told: `${aimOf(move)}: stayed`, tone: "usual" };
  }
}

function where(at: { readonly step: string; readonly fault: { readonly code: string } }): string {
  return `${asWritten(at, "step")} (${asWritten(at.fault, "code")})`;
}

function laterOf(recovered: Recovery): string {
  return isKnown(recovered, "ended") ? laterWords[recovered.ended] : asWritten(recovered, "ended");
}

const laterWords: Readonly<Record<Recovery["ended"], string>> = {
  unchanged: "nothing was changed",
  finished: "a later pass finished it",
  undone: "a later pass rolled it back",
  "not-mended": "it could not be repaired",
};

/** Example: `upgrade from 15.4.5-1 to 15.4.6-1`. */
function aimOf(move: MoveEntry): string {
  return move.why === "rollback" ? `rollback by hand ${wayOf(move)}` : `${asWritten(move, "movement")} ${wayOf(move)}`;
}

function doneOf(move: MoveEntry): string {
  if (move.why === "rollback") return `rolled back by hand ${wayOf(move)}`;
  return isKnown(move, "movement") ? `${moved(move.movement)} ${wayOf(move)}` : aimOf(move);
}

function wayOf({ from, to, version }: MoveEntry): string {
  const aim = to ?? version;
  return from === undefined || from === aim ? aim : `from ${from} to ${aim}`;
}

function detailsOf(move: MoveEntry, reader: Reader, manner: Manner): readonly string[] {
  const { outcome, recovered } = move;
  const told = ({ message, hint }: { readonly message: string; readonly hint: string }): string =>
    `${tellMoments(message, reader)}${manner === "with what to do" ? `; ${asTyped(hint, reader.root)}` : ""}`;
  const later =
    recovered === undefined || outcome.kind === "stopped"
      ? []
      : [`it did not finish before the end of its pass; ${laterOf(recovered)}`];
  const unmended = recovered?.fault === undefined ? [] : [told(recovered.fault)];
  switch (outcome.kind) {
    case "moved":
    case "stayed":
      return [...later, ...unmended];
    case "undone":
      return [told(outcome.fault), ...saidIn(outcome), `${outcome.to} is installed again`, ...later, ...unmended];
    case "failed":
      return [told(outcome.fault), ...saidIn(outcome), ...leftBy(outcome.back, told), ...later, ...unmended];
    case "stopped":
      return [told(outcome.fault), ...unmended];
  }
}

type Told = (fault: { readonly message: string; readonly hint: string }) => string;

function leftBy(back: NoRollback | undefined, told: Told): readonly string[] {
  if (back === undefined) return [];
  if (back.kind === "not-tried") return [`not rolled back: ${back.why}`];
  return [`the rollback failed at ${asWritten(back, "step")}: ${told(back.fault)}`];
}

/** The agent's last lines, each cut to the screen's width; --json has them whole. */
function saidIn({ evidence }: { readonly evidence: readonly string[] }): readonly string[] {
  return evidence.map((line) => quote(`agent said: ${line}`, longestSaid));
}

/** Leaves space for the margin and for the ellipsis of a cut line. */
const longestSaid = screenColumns - 5;
