import type { Shown } from "../../src/shape/shown.ts";
import type { Keys } from "./shapes.ts";

/** One kind of answer: which commands give it with --json, and its shape; or its keys beside `schema`. */
export type Answer = { readonly told: string; readonly commands: readonly string[] } & (
  | { readonly shape: Shown<never, unknown> }
  | { readonly keys: Keys }
);
