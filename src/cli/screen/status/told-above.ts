import type { StayReason } from "../../../plan/decision.ts";
import type { StatusView } from "../../../status/view.ts";

/** Whether the answer itself tells this reason already: below it is not said again. */
export function isToldAbove({ standing }: StatusView, why: StayReason): boolean {
  return standing.kind === "next" && standing.next.kind === "stay" && standing.next.why === why;
}
