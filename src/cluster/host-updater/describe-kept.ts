import { codeOf, nextVersion } from "../../kube/objects/event-text.ts";
import type { Kept } from "../../kube/objects/record.ts";
import type { ReportedUpdater } from "../api/report.ts";
import type { KubeConfiguration } from "../services/kube-section.ts";

export type KeptSurroundings = { readonly object: KubeConfiguration["object"]; readonly isExported: boolean };

/** Puts svc-kube-updater's record into the words of a report. */
export function describeKept(kept: Kept, { object, isExported }: KeptSurroundings): ReportedUpdater {
  const { decision, heard, current, move, last, rejected } = kept;
  const hold = decision.kind === "stay" && decision.why === "held" ? decision : undefined;
  return {
    kind: "kube",
    package: `${object.kind.toLowerCase()}/${object.name}`,
    channel: heard.channel ?? "",
    installed: current ?? "",
    served: nextVersion(decision, kept) ?? "",
    decision: {
      kind: decision.kind,
      why: codeOf(decision),
      until: decision.kind === "stop" ? undefined : decision.until,
    },
    step: move?.step,
    outcome: last && { kind: kinds[last.outcome], version: last.to, fault: undefined, at: last.at },
    rejected: rejected.map(({ served }) => served),
    held: hold !== undefined,
    held_until: hold?.until,
    window: kept.windowOf === "setting" ? "setting" : isExported ? "schedule" : "none",
    looked: undefined,
    asks_as: heard.askedAs ?? "",
    downgrade: "",
    // Its updater takes such a version back, or says why not.
    unhealthy: false,
  };
}

const kinds = { proven: "moved", back: "undone", overtaken: "stopped", reset: "stopped", unproven: "stopped" } as const;
