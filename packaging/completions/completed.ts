import type { DescribedCommand } from "../commands.ts";

/** A program that a shell is to complete. */
export type Completed = { readonly program: string; readonly commands: readonly DescribedCommand[] };
