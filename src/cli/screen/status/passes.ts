import type { Decision } from "../../../plan/decision.ts";
import { isSuccess, type Outcome, type PassRecord } from "../../../record/state.ts";
import type { Next } from "../../../status/next.ts";
import { isSeenAnew } from "../../../status/standing.ts";
import type { StatusView } from "../../../status/view.ts";
import { tellMoment, tellMoments } from "../../times/moment.ts";
import { tellDuration, tellLocal } from "../../times/told.ts";
import { row, type Reader, type Row } from "./row.ts";
import { isToldAbove } from "./told-above.ts";
import { asTyped } from "./typed.ts";

/** What the last pass did; and what one would do now, where that is not the answer itself. */
export function decisionRows(view: StatusView, reader: Reader): readonly Row[] {
  const [last] = view.memory.passes;
  return [...(last === undefined ? [] : lastPassRows(last, view, reader)), ...nextRows(view, reader)];
}

function lastPassRows(last: PassRecord, view: StatusView, reader: Reader): readonly Row[] {
  const { lastSuccessAt } = view.memory;
  const lastPass = row("last pass", `${tellMoment(last.startedAt, reader)}: ${result(last, view, reader)}`);
  if (isSuccess(last.outcome) || lastSuccessAt === undefined) return [lastPass];
  return [lastPass, row("last good", `${tellMoment(lastSuccessAt, reader)}, the last pass without a fault`)];
}

/** A line for each pass that is remembered, the last one first. */
export function passRows({ memory: { passes } }: StatusView, { zone }: Reader): readonly Row[] {
  if (passes.length === 0) return [];
  return [row("passes", ...passes.map((pass) => `${tellLocal(pass.startedAt, zone)}: ${summary(pass)}, ${pass.seconds} s`))];
}

function result({ decision, outcome, seconds }: PassRecord, view: StatusView, reader: Reader): string {
  switch (outcome.kind) {
    case "moved":
      return `${moved(decision, outcome)} in ${tellDuration(seconds)}`;
    case "failed": {
      const { code, message, hint } = outcome.fault;
      const failed = `failed at the step ${outcome.step}`;
      if (view.next.kind === "stay" && view.next.told.includes(message) && isToldAbove(view, view.next.why)) {
        return `${failed} (${code}), as told above`;
      }
      return `${failed}: ${tellMoments(message, reader)}; ${asTyped(hint, reader.root)}`;
    }
    case "stopped": {
      const { code, message, hint } = outcome.fault;
      if (isFaultAbove(code, view)) return `ended in the fault above (${code})`;
      if (isSeenAnew(code)) return `ended in a fault (${code}), which is mended`;
      return `ended in a fault (${code}): ${tellMoments(message, reader)}; ${asTyped(hint, reader.root)}`;
    }
    case "stayed": {
      if (decision.kind !== "stay") return "stayed";
      const { why, told } = decision;
      return isSame(decision, view.next) ? `stayed (${why}), as one would now` : `stayed (${why}): ${tellMoments(told, reader)}`;
    }
  }
}

function nextRows({ next, standing }: StatusView, reader: Reader): readonly Row[] {
  switch (standing.kind) {
    case "off":
      return [row("a pass now", wouldDo(next, reader))];
    case "failing":
      // That nothing is known is what fails.
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

function isFaultAbove(code: string, { standing }: StatusView): boolean {
  return (standing.kind === "failing" || standing.kind === "stopped") && standing.fault.code === code;
}

function isSame(decision: Decision, next: Next): boolean {
  if (decision.kind !== "stay" || next.kind !== "stay") return false;
  return decision.why === next.why && decision.told === next.told;
}

function summary({ decision, outcome }: PassRecord): string {
  switch (outcome.kind) {
    case "moved":
      return moved(decision, outcome);
    case "failed":
      return `failed at ${outcome.step}: ${outcome.fault.code}`;
    case "stopped":
      return `fault: ${outcome.fault.code}`;
    case "stayed":
      return decision.kind === "stay" ? `stayed: ${decision.why}` : "stayed";
  }
}

function moved(decision: Decision, { from, to }: Extract<Outcome, { kind: "moved" }>): string {
  const kind = decision.kind === "move" ? decision.target.kind : "upgrade";
  const verb = kind === "upgrade" || kind === "downgrade" ? `${kind}d` : `${kind}ed`;
  return from === undefined || from === to ? `${verb} ${to}` : `${verb} from ${from} to ${to}`;
}
