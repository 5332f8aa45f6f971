import type { Keys } from "./shapes.ts";

/** One kind of answer: which commands give it with --json, and its keys beside `schema`. */
export type Answer = { readonly told: string; readonly commands: readonly string[]; readonly keys: Keys };
