import { isSuccess, type PassRecord, type Outcome } from "../../../record/state.ts";
import type { Next } from "../../../status/next.ts";
import type { StatusView } from "../../../status/view.ts";
import { tellRecovered } from "../../../sentences/step.ts";
import { tellMoment, tellMoments } from "../../times/moment.ts";
import { tellLocal, tellRange } from "../../times/tell-local.ts";
import { longOutcome, shortOutcome } from "./outcome.ts";
import { row, type Reader, type Row, labelColumns } from "./row.ts";
import { asTyped } from "./with-root.ts";
import { quote } from "../../../../rules/text/quote.ts";
import { screenColumns } from "../wrap.ts";

/** The rows about what the last pass did, and what a pass would do now unless the headline says so. */
export function decisionRows(view: StatusView, reader: Reader): readonly Row[] {
  const [last] = view.memory.passes;
  return [...(last === undefined ? [] : lastPassRows(last, view, reader)), ...nextRows(view, reader)];
}

function lastPassRows(last: PassRecord, view: StatusView, reader: Reader): readonly Row[] {
  const { lastSuccessAt } = view.memory;
  const { outcome, recovered } = last;
  const isGood = isSuccess(outcome) || lastSuccessAt === undefined;
  return [
    row("last pass", `${tellMoment(last.startedAt, reader)}: ${longOutcome(last, view, reader)}`),
    ...evidenceRows(outcome),
    ...(recovered === undefined ? [] : [row("recovered", tellRecovered(recovered))]),
    ...(isGood ? [] : [row("last good", `${tellMoment(lastSuccessAt, reader)}, the last pass without a fault`)]),
  ];
}

/** The recorded passes, newest first. Consecutive passes with the same end share a line with their count. */
export function passRows({ memory: { passes } }: StatusView, reader: Reader): readonly Row[] {
  return passes.length === 0 ? [] : [row("passes", ...passLines(passes, reader))];
}

export function passLines(passes: readonly PassRecord[], { zone }: Pick<Reader, "zone">): readonly string[] {
  return alike(passes).map(([last, ...before]) => {
    const first = before.at(-1);
    const told = shortOutcome(last);
    if (first === undefined) return `${tellLocal(last.startedAt, zone)}: ${told}, ${last.seconds} s`;
    const times = tellRange({ start: first.startedAt, stop: last.startedAt }, zone);
    const longest = Math.max(...[last, ...before].map(({ seconds }) => seconds));
    return `${times}: ${told}, ${before.length + 1} passes, at most ${longest} s`;
  });
}

type Alike = readonly [last: PassRecord, ...before: PassRecord[]];

/** Groups consecutive passes that changed nothing and ended the same way. Each move keeps its own line. */
function alike(passes: readonly PassRecord[]): readonly Alike[] {
  const runs: [PassRecord, ...PassRecord[]][] = [];
  for (const pass of passes) {
    const run = runs.at(-1);
    if (run !== undefined && isQuiet(pass) && isQuiet(run[0]) && shortOutcome(pass) === shortOutcome(run[0])) run.push(pass);
    else runs.push([pass]);
  }
  return runs;
}

function isQuiet({ outcome, recovered }: PassRecord): boolean {
  return recovered === undefined && (outcome.kind === "stayed" || outcome.kind === "stopped");
}

function nextRows({ next, standing }: StatusView, reader: Reader): readonly Row[] {
  switch (standing.kind) {
    case "off":
      return [row("a pass now", wouldDo(next, reader))];
    case "failing":
      // If the decision is unknown, the failure above has already said so.
      return next.kind === "unknown" ? [] : [row("a pass now", `by the last answer ${wouldDo(next, reader)}`)];
    case "running":
    case "stopped":
    case "next":
      return [];
  }
}

function wouldDo(next: Next, reader: Reader): string {
  switch (next.kind) {
    case "stay": {
      const isWaiting = next.until === undefined && next.why !== "current" && next.why !== "no-version";
      const lift = isWaiting && next.lift !== undefined ? `; lifted by: ${asTyped(next.lift, reader.root)}` : "";
      return `would stay (${next.why}): ${tellMoments(next.told, reader)}${lift}`;
    }
    case "move":
      return `would ${next.target.kind} to ${next.target.to} (${next.why}): ${tellMoments(next.told, reader)}`;
    case "stop":
      return `would end in a fault (${next.fault.code}): ${tellMoments(next.fault.message, reader)}`;
    case "unknown":
      return `cannot be told: ${next.told}`;
  }
}

/** Leaves space for the ellipsis of a cut line. */
const longestLine: number = screenColumns - labelColumns - 1;

/** The last lines of the agent before its version was rejected, each cut to the screen's width; --json has them whole. */
function evidenceRows(outcome: Outcome): readonly Row[] {
  if (outcome.kind !== "failed" && outcome.kind !== "undone") return [];
  const { evidence } = outcome;
  return evidence.length === 0 ? [] : [row("agent said", ...evidence.map((line) => quote(line, longestLine)))];
}
