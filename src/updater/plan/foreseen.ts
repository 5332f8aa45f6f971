import type { FaultData } from "../../rules/fault/fault.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** Whether the package manager would make a move, by what it knows now. */
export type Foreseen =
  | ({ readonly kind: "possible" } & Lists)
  | ({ readonly kind: "refused"; readonly fault: FaultData } & Lists)
  /** `told`: what was not, and why. */
  | ({ readonly kind: "not-looked"; readonly told: string } & Lists);

/** How old what was looked at is; undefined: nothing was, or nobody tells. */
type Lists = { readonly listsAt: UnixSeconds | undefined };
