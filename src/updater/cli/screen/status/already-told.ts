import type { Stay, StayReason } from "../../../plan/host-decision.ts";
import type { StatusView } from "../../../status/view.ts";

/** The reason to stay that the answer tells; undefined if it tells something else. */
export function stayAbove({ standing, memory: { needsOperator } }: StatusView): Stay | undefined {
  if (standing.kind !== "next" || standing.next.kind !== "stay") return undefined;
  const { next } = standing;
  const isGoodNews = next.why === "current" || next.why === "pinned" || next.why === "no-version";
  // An ill version may be the served one.
  if (!isGoodNews || needsOperator === undefined) return next;
  return { kind: "stay", why: "needs-operator", told: needsOperator.why, lift: "svc-upgrade retry" };
}

/** Whether the answer tells this reason, so that the rows need not. */
export function isToldAbove(view: StatusView, why: StayReason): boolean {
  return stayAbove(view)?.why === why;
}
