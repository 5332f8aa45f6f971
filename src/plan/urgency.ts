import { weighCritical, type CriticalVerdict } from "../channel/critical.ts";
import type { Facts } from "./facts.ts";

/** Whether the served version is critical; where it was called so and that does not count, why. */
export function urgencyOf({ answer, memory: { heard }, now }: Pick<Facts, "answer" | "memory" | "now">): CriticalVerdict {
  return answer.kind === "served" ? weighCritical(answer, heard, now) : { kind: "no" };
}
