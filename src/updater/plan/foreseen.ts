import type { FaultData } from "../../rules/fault/fault.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** Whether the package manager would accept a move, as far as it knows now. */
export type Foreseen =
  | ({ readonly kind: "possible" } & Lists)
  | ({ readonly kind: "refused"; readonly fault: FaultData } & Lists)
  /** `told`: what was not looked at, and why. */
  | ({ readonly kind: "not-looked"; readonly told: string } & Lists);

/** When the lists were fetched; undefined if none were used, or nobody knows. */
type Lists = { readonly listsAt: UnixSeconds | undefined };
