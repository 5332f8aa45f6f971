import type { PassRecord } from "../../record/state.ts";
import type { StatusView } from "../../status/view.ts";
import { printInstant } from "../../window/instant.ts";
import { decisionJson, faultJson, outcomeJson, type AnswerJson, type FaultJson } from "../answer.ts";
import { instantJson } from "./when-json.ts";

type Fault = FaultJson["fault"];

/** What earlier passes left. */
export type MemoryJson = {
  readonly contact: {
    readonly at?: string | undefined;
    /** A version, or `none`. */
    readonly served?: string | undefined;
    readonly critical?: boolean | undefined;
    /** No contact since. */
    readonly silent?: string | undefined;
  };
  /** When the last pass that ended without a fault began. */
  readonly success?: string | undefined;
  readonly rejected: readonly { readonly version: string; readonly package: string; readonly at: string; readonly why: string }[];
  readonly wait?: { readonly version: string; readonly until: string; readonly failures: number; readonly fault: Fault };
  readonly operator?: { readonly at: string; readonly why: string };
  /** Where `rollback` leads. */
  readonly previous?: { readonly version: string; readonly package: string; readonly left: string };
  /** In hand where a pass is running, else cut off. */
  readonly step?: { readonly step: string; readonly version: string; readonly at: string };
  readonly passes: readonly PassJson[];
};

export type PassJson = {
  readonly id: string;
  readonly at: string;
  readonly seconds: number;
  readonly installed?: string | undefined;
  readonly served?: string | undefined;
  readonly channel?: string | undefined;
  readonly decision?: AnswerJson["decision"];
  readonly outcome: NonNullable<AnswerJson["outcome"]> & { readonly step?: string };
  readonly fault?: Fault;
  readonly steps: readonly { readonly step: string; readonly ms: number }[];
};

export function memoryJson({ memory }: StatusView): MemoryJson {
  const { lastContact, silentSince, lastSuccessAt, rejected, backoff, needsOperator, previous, step } = memory;
  return {
    contact: {
      at: instantJson(lastContact?.at),
      served: lastContact?.served,
      critical: lastContact?.isCritical,
      silent: instantJson(silentSince),
    },
    success: instantJson(lastSuccessAt),
    rejected: rejected.map(({ served, packageVersion, at, why }) => ({
      version: served,
      package: packageVersion,
      at: printInstant(at),
      why,
    })),
    ...(backoff === undefined
      ? {}
      : {
          wait: {
            version: backoff.served,
            until: printInstant(backoff.until),
            failures: backoff.failures,
            fault: faultJson(backoff.cause).fault,
          },
        }),
    ...(needsOperator === undefined ? {} : { operator: { at: printInstant(needsOperator.at), why: needsOperator.why } }),
    ...(previous === undefined
      ? {}
      : { previous: { version: previous.version, package: previous.packageVersion, left: printInstant(previous.leftAt) } }),
    ...(step === undefined ? {} : { step: { step: step.step, version: step.served, at: printInstant(step.startedAt) } }),
    passes: memory.passes.map(passJson),
  };
}

function passJson({ id, startedAt, seconds, installed, served, channel, decision, outcome, steps }: PassRecord): PassJson {
  return {
    id,
    at: printInstant(startedAt),
    seconds,
    installed,
    served,
    channel,
    ...(decision.kind === "stop" ? {} : { decision: decisionJson(decision) }),
    outcome: { ...outcomeJson(outcome), ...(outcome.kind === "failed" ? { step: outcome.step } : {}) },
    ...(outcome.kind === "failed" || outcome.kind === "stopped" ? { fault: faultJson(outcome.fault).fault } : {}),
    steps,
  };
}
