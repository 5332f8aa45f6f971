import type { Stay, StayReason } from "../../../plan/host-decision.ts";
import type { StatusView } from "../../../status/view.ts";

/** The reason to stay that the answer tells; undefined where it tells something else. */
export function stayAbove({ standing, memory: { needsOperator } }: StatusView): Stay | undefined {
  if (standing.kind !== "next" || standing.next.kind !== "stay") return undefined;
  const { next } = standing;
  const isGoodNews = next.why === "current" || next.why === "pinned" || next.why === "no-version";
  // A version that is not well may be the one that is served.
  if (!isGoodNews || needsOperator === undefined) return next;
  return { kind: "stay", why: "needs-operator", told: needsOperator.why, lift: "svc-upgrade retry" };
}

/** Whether the answer itself tells this reason already: below it is not said again. */
export function isToldAbove(view: StatusView, why: StayReason): boolean {
  return stayAbove(view)?.why === why;
}
