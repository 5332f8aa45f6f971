import type { Mutant } from "./mutate.ts";

/** Changes that nobody could notice, each with the reason. At most one of twenty. */
export type Equivalent = Pick<Mutant, "file" | "was" | "becomes"> & { readonly why: string };

export const equivalent: readonly Equivalent[] = [];
