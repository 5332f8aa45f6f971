import type { FaultData } from "../fault/fault.ts";
import type { Served } from "../channel/answer.ts";
import { compare, movedLine, stayLine } from "../pass/tell.ts";
import type { Decision } from "../plan/decision.ts";
import type { Outcome } from "../record/state.ts";
import type { Version } from "../version/version.ts";
import { printInstant } from "../window/instant.ts";
import type { UnixSeconds } from "../window/window.ts";

/** The one shape of every JSON answer. Later versions only add to it. */
export type AnswerJson = {
  readonly schema: 1;
  readonly installed: string | null;
  readonly served: string | null;
  readonly channel: string;
  readonly available: boolean;
  readonly decision: {
    readonly kind: "stay" | "move";
    readonly why: string;
    readonly told: string;
    readonly until?: string;
    readonly lift?: string;
    readonly target?: { readonly kind: string; readonly to: string };
  };
  readonly outcome?: { readonly kind: string; readonly from?: string; readonly to?: string; readonly seconds?: number };
  readonly at?: string;
};

export type FaultJson = {
  readonly schema: 1;
  readonly fault: { readonly code: string; readonly message: string; readonly hint: string };
};

/** What a dry run and a pass have in common when they answer. */
export type Answerable = {
  readonly installed: Version | undefined;
  /** Undefined: nobody was asked. */
  readonly served: Served | undefined;
  readonly channel: string;
  readonly decision: Exclude<Decision, { kind: "stop" }>;
  readonly outcome?: Outcome;
  /** When it would be so, where it is not now. */
  readonly at?: UnixSeconds | undefined;
};

export function answerJson({ installed, served, channel, decision, outcome, at }: Answerable): AnswerJson {
  return {
    schema: 1,
    installed: installed ?? null,
    served: served?.kind === "version" ? served.version : null,
    channel,
    available: served !== undefined && compare(installed, served).isAvailable,
    decision: decisionJson(decision),
    ...(outcome === undefined ? {} : { outcome: outcomeJson(outcome) }),
    ...(at === undefined ? {} : { at: printInstant(at) }),
  };
}

/** The one line of a pass that did not fail. */
export function passLine({ installed, served, decision }: Answerable): string {
  if (decision.kind === "move") return movedLine(decision.target);
  return served === undefined ? `not now: ${decision.told}` : stayLine(compare(installed, served), decision);
}

export function faultJson(fault: FaultData): FaultJson {
  return { schema: 1, fault: { code: fault.code, message: fault.message, hint: fault.hint } };
}

export function decisionJson(decision: Exclude<Decision, { kind: "stop" }>): AnswerJson["decision"] {
  const { kind, why, told } = decision;
  if (decision.kind === "move") return { kind, why, told, target: { kind: decision.target.kind, to: decision.target.to } };
  return {
    kind,
    why,
    told,
    ...(decision.until === undefined ? {} : { until: printInstant(decision.until) }),
    ...(decision.lift === undefined ? {} : { lift: decision.lift }),
  };
}

export function outcomeJson(outcome: Outcome): NonNullable<AnswerJson["outcome"]> {
  if (outcome.kind !== "moved") return { kind: outcome.kind };
  const { kind, from, to, seconds } = outcome;
  return { kind, ...(from === undefined ? {} : { from }), to, seconds };
}
