import type { Shown } from "../../src/rules/shape/json-answer.ts";

/** One kind of answer: which commands give it with --json, and its shape. */
export type Answer = { readonly commands: readonly string[]; readonly shape: Shown<never, unknown> };
