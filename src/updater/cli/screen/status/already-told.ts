import type { Stay, StayReason } from "../../../plan/host-decision.ts";
import type { StatusView } from "../../../status/view.ts";

/** The reason to stay that the headline gives; undefined if the headline is about something else. */
export function stayAbove({ standing, memory: { needsOperator } }: StatusView): Stay | undefined {
  if (standing.kind !== "next" || standing.next.kind !== "stay") return undefined;
  const { next } = standing;
  const isGoodNews = next.why === "current" || next.why === "pinned" || next.why === "no-version";
  // The installed version may be the served one and still be unhealthy.
  if (!isGoodNews || needsOperator === undefined) return next;
  return { kind: "stay", why: "needs-operator", told: needsOperator.why, lift: "svc-upgrade retry" };
}

/** Whether the headline already gives this reason, so that the rows leave it out. */
export function isToldAbove(view: StatusView, why: StayReason): boolean {
  return stayAbove(view)?.why === why;
}
