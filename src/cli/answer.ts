import type { Served } from "../channel/answer.ts";
import { compare, movedLine, stayLine } from "../pass/tell.ts";
import type { Decision } from "../plan/decision.ts";
import { asWritten } from "../shape/beyond.ts";
import type { Outcome, Recovered } from "../record/state.ts";
import type { Version } from "../version/version.ts";
import { printInstant } from "../window/instant.ts";
import type { UnixSeconds } from "../window/window.ts";
import { faultJson, type FaultJson } from "./fault-json.ts";
import { outcomeJson, recoveredJson, type OutcomeJson, type RecoveredJson } from "./outcome-json.ts";
import { tellRecovered, tellUndone } from "./tell-move.ts";

/** The one shape of every JSON answer. Later versions only add to it. */
export type AnswerJson = {
  readonly schema: 1;
  readonly installed: string | null;
  readonly served: string | null;
  readonly channel: string;
  readonly available: boolean;
  readonly decision: {
    readonly kind: string;
    readonly why: string;
    readonly told: string;
    readonly until?: string;
    readonly lift?: string;
    readonly target?: { readonly kind: string; readonly to: string };
  };
  /** Why the update waits although it is called critical. */
  readonly doubt?: string;
  readonly outcome?: OutcomeJson;
  /** Why the move was undone. */
  readonly fault?: FaultJson["fault"];
  readonly recovered?: RecoveredJson;
  readonly at?: string;
};

/** What a dry run and a pass have in common when they answer. */
export type Answerable = {
  readonly installed: Version | undefined;
  /** Undefined: nobody was asked. */
  readonly served: Served | undefined;
  readonly channel: string;
  readonly decision: Exclude<Decision, { kind: "stop" }>;
  readonly doubt?: string | undefined;
  readonly outcome?: Outcome;
  readonly recovered?: Recovered | undefined;
  /** When it would be so, where it is not now. */
  readonly at?: UnixSeconds | undefined;
};

export function answerJson(answerable: Answerable): AnswerJson {
  const { installed, served, channel, decision, doubt, outcome, recovered, at } = answerable;
  return {
    schema: 1,
    installed: installed ?? null,
    served: served?.kind === "version" ? served.version : null,
    channel,
    available: served !== undefined && compare(installed, served).isAvailable,
    decision: decisionJson(decision),
    ...(doubt === undefined ? {} : { doubt }),
    ...(outcome === undefined ? {} : { outcome: outcomeJson(outcome) }),
    ...(outcome?.kind === "undone" ? { fault: faultJson(outcome.fault).fault } : {}),
    ...(recovered === undefined ? {} : { recovered: recoveredJson(recovered) }),
    ...(at === undefined ? {} : { at: printInstant(at) }),
  };
}

/** The one line of a pass that leaves the host in order. */
export function passLine(answerable: Answerable): string {
  const { outcome, recovered } = answerable;
  const first = recovered === undefined || recovered.ended === "unchanged" ? "" : `${tellRecovered(recovered)}; `;
  return `${first}${outcome?.kind === "undone" ? tellUndone(outcome) : lineOf(answerable)}`;
}

function lineOf({ installed, served, decision }: Answerable): string {
  if (decision.kind === "move") return movedLine(decision.target);
  return served === undefined ? `not now: ${decision.told}` : stayLine(compare(installed, served), decision);
}

export function decisionJson(decision: Exclude<Decision, { kind: "stop" }>): AnswerJson["decision"] {
  const { told } = decision;
  const [kind, why] = [asWritten(decision, "kind"), asWritten(decision, "why")];
  if (decision.kind === "move") {
    const { target } = decision;
    return { kind, why, told, target: { kind: asWritten(target, "kind"), to: target.to } };
  }
  return {
    kind,
    why,
    told,
    ...(decision.until === undefined ? {} : { until: printInstant(decision.until) }),
    ...(decision.lift === undefined ? {} : { lift: decision.lift }),
  };
}
