import type { Shape } from "../../src/rules/shape/shape.ts";

/** One kind of answer: the commands that give it with --json, and its shape. */
export type Answer = { readonly commands: readonly string[]; readonly shape: Shape<unknown> };
