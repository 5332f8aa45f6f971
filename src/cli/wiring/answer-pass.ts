import type { Served } from "../../channel/answer.ts";
import { statusOf } from "../../pass/conduct.ts";
import { faultOfOutcome } from "../../record/outcome-fault.ts";
import type { PassRecord } from "../../record/state.ts";
import { parseVersion } from "../../version/version.ts";
import { answerJson, passLine } from "../json/answer.ts";
import { faultJson } from "../json/fault.ts";

/** What is said of a pass on stdout, and the status that it ends with. A line is for what leaves the host in order. */
export function answerPass(record: PassRecord, format: "line" | "json"): { readonly stdout: string; readonly status: number } {
  const { decision, outcome, recovered, channel = "" } = record;
  const status = statusOf(record);
  if (outcome.kind === "stopped" || outcome.kind === "failed") {
    const fault = faultOfOutcome(outcome);
    return { status, stdout: format === "json" && fault !== undefined ? `${JSON.stringify(faultJson(fault))}\n` : "" };
  }
  if (decision.kind === "stop") throw new Error("a pass that was stopped has no other outcome");
  const installed = record.installed === undefined ? undefined : parseVersion(record.installed);
  const answerable = { installed, served: servedIn(record), channel, decision, outcome, recovered };
  return { status, stdout: format === "json" ? `${JSON.stringify(answerJson(answerable))}\n` : `${passLine(answerable)}\n` };
}

function servedIn({ served }: PassRecord): Served | undefined {
  const version = served === undefined ? undefined : parseVersion(served);
  if (version !== undefined) return { kind: "version", version };
  return served === undefined ? undefined : { kind: "none" };
}
