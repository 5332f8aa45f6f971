import type { Served } from "./answer.ts";

/** Why a yes to critical does not count by itself. */
export type CriticalDoubt =
  /** The server says nowhere which version it speaks of; all that it was asked in this pass agreed. */
  | { readonly kind: "unnamed" }
  /** It spoke of another version than the one that is served. */
  | { readonly kind: "another"; readonly named: Served }
  /** What it was asked twice in this pass it answered differently. */
  | { readonly kind: "disagreeing" };
