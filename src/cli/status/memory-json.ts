import { alternatingIn, mendAlternating, tellAlternating } from "../../channel/alternating.ts";
import { flappingIn, mendFlapping, tellFlapping } from "../../channel/flapping.ts";
import { asWritten } from "../../shape/beyond.ts";
import type { KeptPackage, PassRecord } from "../../record/state.ts";
import { doubtIn } from "../../status/doubt.ts";
import type { AlongSeen } from "../../status/seen.ts";
import type { StatusView } from "../../status/view.ts";
import { printInstant } from "../../window/instant.ts";
import { decisionJson, type AnswerJson } from "../answer.ts";
import { faultJson, type FaultJson } from "../fault-json.ts";
import { outcomeJson, recoveredJson, type OutcomeJson, type RecoveredJson } from "../outcome-json.ts";
import { instantJson } from "./when-json.ts";

type Fault = FaultJson["fault"];

/** What earlier passes left. */
export type MemoryJson = {
  readonly contact: {
    readonly at?: string | undefined;
    /** A version, or `none`. */
    readonly served?: string | undefined;
    readonly critical?: boolean | undefined;
    /** It was called critical, and why that does not count yet. */
    readonly doubt?: string | undefined;
    /** No contact since. */
    readonly silent?: string | undefined;
    /** The digest of the channels, as the instance said that answered last. */
    readonly channels?: string | undefined;
  };
  /** Answers alternate between these two configurations of channels, the last one first. */
  readonly flapping?: { readonly channels: readonly string[]; readonly at: string; readonly told: string; readonly lift: string };
  /** The channel served these two versions in turn, the one that came back first. */
  readonly alternating?: {
    readonly versions: readonly string[];
    readonly at: string;
    readonly told: string;
    readonly lift: string;
  };
  /** When the last pass that ended without a fault began. */
  readonly success?: string | undefined;
  readonly rejected: readonly { readonly version: string; readonly package: string; readonly at: string; readonly why: string }[];
  readonly wait?: { readonly version: string; readonly until: string; readonly failures: number; readonly fault: Fault };
  readonly operator?: { readonly at: string; readonly why: string };
  /** Where `rollback` leads. */
  readonly previous?: { readonly version: string; readonly package: string; readonly left: string };
  /** The packages that are at hand without a repository. */
  readonly kept: readonly KeptJson[];
  /** In hand where a pass is running, else cut off. */
  readonly step?: { readonly step: string; readonly version: string; readonly at: string };
  readonly passes: readonly PassJson[];
};

export type KeptJson = {
  readonly package: string;
  readonly file: string;
  readonly bytes: number;
  /** The packages whose files are kept with it. */
  readonly along?: readonly string[];
  /** Why it is no way back any more. */
  readonly objection?: string;
};

export type PassJson = {
  readonly id: string;
  readonly at: string;
  readonly seconds: number;
  readonly installed?: string | undefined;
  readonly served?: string | undefined;
  readonly channel?: string | undefined;
  readonly decision?: AnswerJson["decision"];
  readonly outcome: OutcomeJson;
  readonly fault?: Fault;
  readonly steps: readonly { readonly step: string; readonly ms: number }[];
  /** What it did about a move that an earlier pass had begun and not ended. */
  readonly recovered?: RecoveredJson;
  /** Why the server gave no answer, where the decision did not need one. */
  readonly unanswered?: Fault;
};

export function memoryJson({ memory, seen: { now, along } }: StatusView): MemoryJson {
  const { lastContact, silentSince, lastSuccessAt, rejected, backoff, needsOperator, previous, kept, step } = memory;
  const flapping = flappingIn(memory.channels, now);
  const alternating = alternatingIn(memory.heard, now);
  return {
    contact: {
      at: instantJson(lastContact?.at),
      served: lastContact?.served,
      critical: lastContact?.isCritical,
      doubt: doubtIn(memory, now),
      silent: instantJson(silentSince),
      channels: memory.channels[0]?.digest,
    },
    ...(flapping === undefined
      ? {}
      : {
          flapping: {
            channels: flapping.digests,
            at: printInstant(flapping.at),
            told: tellFlapping(flapping),
            lift: mendFlapping,
          },
        }),
    ...(alternating === undefined
      ? {}
      : {
          alternating: {
            versions: alternating.versions,
            at: printInstant(alternating.at),
            told: tellAlternating(alternating),
            lift: mendAlternating,
          },
        }),
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
    kept: kept.map((one) => keptJson(one, along)),
    ...(step === undefined ? {} : { step: { step: step.step, version: step.served, at: printInstant(step.startedAt) } }),
    passes: memory.passes.map(passJson),
  };
}

function keptJson({ packageVersion, file, bytes }: KeptPackage, seen: readonly AlongSeen[]): KeptJson {
  const along = seen.find((one) => one.packageVersion === packageVersion);
  return {
    package: packageVersion,
    file,
    bytes,
    ...(along === undefined ? {} : { along: along.names }),
    ...(along?.objection === undefined ? {} : { objection: along.objection }),
  };
}

function passJson(record: PassRecord): PassJson {
  const { id, startedAt, seconds, installed, served, channel, decision, outcome, steps, recovered, unanswered } = record;
  return {
    id,
    at: printInstant(startedAt),
    seconds,
    installed,
    served,
    channel,
    ...(decision.kind === "stop" ? {} : { decision: decisionJson(decision) }),
    outcome: outcomeJson(outcome),
    ...("fault" in outcome ? { fault: faultJson(outcome.fault).fault } : {}),
    steps: steps.map((time) => ({ step: asWritten(time, "step"), ms: time.ms })),
    ...(recovered === undefined ? {} : { recovered: recoveredJson(recovered) }),
    ...(unanswered === undefined ? {} : { unanswered: faultJson(unanswered).fault }),
  };
}
