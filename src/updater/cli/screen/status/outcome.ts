import type { Decision } from "../../../plan/host-decision.ts";
import { asWritten, isKnown } from "../../../../rules/shape/unknown-keys.ts";
import type { NoRollback, Outcome, PassRecord } from "../../../record/state.ts";
import type { Next } from "../../../status/next.ts";
import { isSeenAnew } from "../../../status/overall.ts";
import type { StatusView } from "../../../status/view.ts";
import { moved } from "../../../sentences/decision.ts";
import { tellUndone } from "../../../sentences/step.ts";
import { tellMoments } from "../../times/moment.ts";
import { tellDuration } from "../../times/tell-local.ts";
import type { Reader } from "./row.ts";
import { stayAbove } from "./already-told.ts";
import { asTyped } from "./with-root.ts";

/** How a pass ended, without what the headline already says. */
export function longOutcome({ decision, outcome, seconds }: PassRecord, view: StatusView, reader: Reader): string {
  if (!isKnown(outcome, "kind")) return `ended as a later release tells it: ${asWritten(outcome, "kind")}`;
  switch (outcome.kind) {
    case "moved":
      return `${tellMoved(decision, outcome)} in ${tellDuration(seconds)}`;
    case "undone":
      return isMessageAbove(outcome, view) ? tellUndone(outcome) : `${tellUndone(outcome)}; ${fault(outcome, reader)}`;
    case "failed": {
      const { back } = outcome;
      const failed = `failed at the step ${asWritten(outcome, "step")}`;
      if (isMessageAbove(outcome, view))
        return `${failed} (${asWritten(outcome.fault, "code")})${shortBack(back)}, as told above`;
      return `${failed}: ${fault(outcome, reader)}${back === undefined ? "" : longBack(back, reader)}`;
    }
    case "stopped": {
      const { message, hint } = outcome.fault;
      const code = asWritten(outcome.fault, "code");
      if (isFaultAbove(code, view)) return `ended in the fault above (${code})`;
      if (isKnown(outcome.fault, "code") && isSeenAnew(outcome.fault.code))
        return `ended in a fault (${code}), which is fixed by now`;
      return `ended in a fault (${code}): ${tellMoments(message, reader)}; ${asTyped(hint, reader.root)}`;
    }
    case "stayed": {
      if (decision.kind !== "stay") return "stayed";
      const { told } = decision;
      const why = asWritten(decision, "why");
      return isSame(decision, view.next) ? `stayed (${why}), as one would now` : `stayed (${why}): ${tellMoments(told, reader)}`;
    }
  }
}

/** Whether the headline already says why the move failed. */
function isMessageAbove({ fault: { message } }: Failed, view: StatusView): boolean {
  return stayAbove(view)?.told.includes(message) === true;
}

type Failed = Pick<Extract<Outcome, { kind: "failed" }>, "fault">;

function fault({ fault: { message, hint } }: Failed, reader: Reader): string {
  return `${tellMoments(message, reader)}; ${asTyped(hint, reader.root)}`;
}

function shortBack(back: NoRollback | undefined): string {
  if (back === undefined) return "";
  return back.kind === "failed" ? `, and so did the rollback (${asWritten(back.fault, "code")})` : ", and there was no rollback";
}

function longBack(back: NoRollback, reader: Reader): string {
  if (back.kind === "not-tried") return `; not rolled back: ${tellMoments(back.why, reader)}`;
  return `; the rollback failed at the step ${asWritten(back, "step")}: ${fault(back, reader)}`;
}

function isFaultAbove(code: string, { standing }: StatusView): boolean {
  return (standing.kind === "failing" || standing.kind === "stopped") && asWritten(standing.fault, "code") === code;
}

function isSame(decision: Decision, next: Next): boolean {
  if (decision.kind !== "stay" || next.kind !== "stay") return false;
  return decision.why === next.why && decision.told === next.told;
}

/** The outcome of a pass in a few words. */
export function shortOutcome(pass: PassRecord): string {
  const { recovered } = pass;
  const first =
    recovered === undefined ? "" : `ended a cut-off ${asWritten(recovered, "step")} (${asWritten(recovered, "ended")}); `;
  return `${first}${end(pass)}`;
}

function end({ decision, outcome }: PassRecord): string {
  if (!isKnown(outcome, "kind")) return asWritten(outcome, "kind");
  switch (outcome.kind) {
    case "moved":
      return tellMoved(decision, outcome);
    case "undone":
      return `undone at ${asWritten(outcome, "step")}: ${asWritten(outcome.fault, "code")}`;
    case "failed":
      return `${outcome.back === undefined ? "failed" : "not undone"} at ${asWritten(outcome, "step")}: ${asWritten(outcome.fault, "code")}`;
    case "stopped":
      return `fault: ${asWritten(outcome.fault, "code")}`;
    case "stayed":
      return decision.kind === "stay" ? `stayed: ${asWritten(decision, "why")}` : "stayed";
  }
}

function tellMoved(decision: Decision, { from, to }: Extract<Outcome, { kind: "moved" }>): string {
  if (decision.kind === "move" && !isKnown(decision.target, "kind")) {
    return `${asWritten(decision.target, "kind")} ${from === undefined ? "" : `from ${from} `}to ${to}`;
  }
  const kind = decision.kind === "move" ? decision.target.kind : "upgrade";
  return from === undefined || from === to ? `${moved(kind)} ${to}` : `${moved(kind)} from ${from} to ${to}`;
}
