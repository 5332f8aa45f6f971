import { codeOf, nextVersion } from "../../kube/objects/event-text.ts";
import type { Kept } from "../../kube/objects/record.ts";
import type { Ended } from "../../kube/objects/move-memory.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { DecisionJson, OutcomeJson, UpdaterJson } from "../api/generated/svc/v1/inventory_pb.ts";
import type { KubeConfiguration } from "../services/kube-section.ts";

export type KeptSurroundings = { readonly object: KubeConfiguration["object"]; readonly isExported: boolean };

/** The record of svc-kube-updater in the words of the contract. */
export function describeKept(kept: Kept, { object, isExported }: KeptSurroundings): UpdaterJson {
  const { decision, heard, current, move, last, rejected } = kept;
  const hold = decision.kind === "stay" && decision.why === "held" ? decision : undefined;
  return {
    kind: "kube",
    package: `${object.kind.toLowerCase()}/${object.name}`,
    channel: heard.channel ?? "",
    installed: current ?? "",
    served: nextVersion(decision, kept) ?? "",
    decision: decisionOf(kept),
    step: move?.step ?? "",
    ...(last === undefined ? {} : { outcome: outcomeOf(last) }),
    rejected: rejected.map(({ served }) => served),
    held: hold !== undefined,
    ...(hold?.until === undefined ? {} : { heldUntil: printInstant(hold.until) }),
    window: kept.windowOf === "setting" ? "setting" : isExported ? "schedule" : "none",
  };
}

function decisionOf({ decision }: Kept): DecisionJson {
  const until = decision.kind === "stop" ? undefined : decision.until;
  return { kind: decision.kind, why: codeOf(decision), ...(until === undefined ? {} : { until: printInstant(until) }) };
}

const kinds = { proven: "moved", back: "undone", overtaken: "stopped", reset: "stopped", unproven: "stopped" } as const;

function outcomeOf({ outcome, to, at }: Ended): OutcomeJson {
  return { kind: kinds[outcome], version: to, at: printInstant(at) };
}
