import type { Version } from "../version/version.ts";
import type { LetThrough, Refusal } from "./gate-answer.ts";
import type { GateFacts } from "./gate-facts.ts";
import type { GatePolicy } from "./gate-policy.ts";

export type Exchange =
  | { readonly kind: "upgrade"; readonly from: Version; readonly to: Version }
  | { readonly kind: "downgrade"; readonly from: Version; readonly to: Version };

export type Wanted = Exchange | { readonly kind: "install" | "repair"; readonly to: Version };

export type Situation = { readonly facts: GateFacts; readonly policy: GatePolicy; readonly target: Wanted };

/** One row of ARCHITECTURE's gate table: returns a decision or undefined. A program's own gates may know and say more. */
export type Gate<Case extends Situation = Situation, Said = Refusal | LetThrough> = (one: Case) => Said | undefined;

/** The first gate that answers decides; the last one always answers. */
export function firstOf<Case extends Situation, Said>(
  gates: readonly Gate<Case, Said>[],
  last: (one: Case) => Said,
  one: Case,
): Said {
  for (const gate of gates) {
    const said = gate(one);
    if (said !== undefined) return said;
  }
  return last(one);
}
