import type { NoWayBack, Outcome, Recovered } from "../record/state.ts";
import { faultJson, type FaultJson } from "./fault-json.ts";

/** How a pass ended. */
export type OutcomeJson = {
  readonly kind: string;
  readonly from?: string;
  /** The package that failed, and was left again. */
  readonly left?: string;
  readonly to?: string;
  readonly seconds?: number;
  /** The step that failed, and the last lines of the agent's unit. */
  readonly step?: string;
  readonly evidence?: readonly string[];
  readonly back?: BackJson;
};

/** Why a move that failed was not taken back. */
type BackJson = { readonly kind: string; readonly why?: string; readonly step?: string; readonly fault?: FaultJson["fault"] };

/** What became of a move that an earlier pass had begun and not ended. */
export type RecoveredJson = { readonly step: string; readonly version: string; readonly ended: string };

export function outcomeJson(outcome: Outcome): OutcomeJson {
  switch (outcome.kind) {
    case "stayed":
    case "stopped":
      return { kind: outcome.kind };
    case "moved": {
      const { kind, from, to, seconds } = outcome;
      return { kind, ...(from === undefined ? {} : { from }), to, seconds };
    }
    case "undone": {
      const { kind, left, to, seconds, step, evidence } = outcome;
      return { kind, left, to, seconds, step, evidence };
    }
    case "failed": {
      const { kind, step, evidence, back } = outcome;
      return { kind, step, evidence, ...(back === undefined ? {} : { back: backJson(back) }) };
    }
  }
}

function backJson(back: NoWayBack): BackJson {
  if (back.kind === "not-tried") return { kind: back.kind, why: back.why };
  return { kind: back.kind, step: back.step, fault: faultJson(back.fault).fault };
}

export function recoveredJson({ step, served, ended }: Recovered): RecoveredJson {
  return { step, version: served, ended };
}
