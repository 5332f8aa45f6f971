import { asWritten } from "../shape/beyond.ts";
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
  const kind = asWritten(outcome, "kind");
  switch (outcome.kind) {
    case "stayed":
    case "stopped":
      return { kind };
    case "moved": {
      const { from, to, seconds } = outcome;
      return { kind, ...(from === undefined ? {} : { from }), to, seconds };
    }
    case "undone": {
      const { left, to, seconds, evidence } = outcome;
      return { kind, left, to, seconds, step: asWritten(outcome, "step"), evidence };
    }
    case "failed": {
      const { evidence, back } = outcome;
      return { kind, step: asWritten(outcome, "step"), evidence, ...(back === undefined ? {} : { back: backJson(back) }) };
    }
  }
}

function backJson(back: NoWayBack): BackJson {
  const kind = asWritten(back, "kind");
  if (back.kind === "not-tried") return { kind, why: back.why };
  return { kind, step: asWritten(back, "step"), fault: faultJson(back.fault).fault };
}

export function recoveredJson(recovered: Recovered): RecoveredJson {
  return { step: asWritten(recovered, "step"), version: recovered.served, ended: asWritten(recovered, "ended") };
}
