import { encode } from "../../../rules/shape/write.ts";
import type { Shape } from "../../../rules/shape/shape.ts";
import { hintFor } from "../../../machine/command-line/hint-for.ts";
import type { TctlContext } from "../context.ts";
import { printJson } from "../../../rules/shape/print-json.ts";

export type Saying<Value> = {
  readonly shape: Shape<Value>;
  readonly value: Value;
  /** The answer for people. */
  readonly text: () => string;
};

/** Prints an answer in the format that was asked for. */
export function say<Value>(
  { surroundings, options }: Pick<TctlContext, "surroundings" | "options">,
  { shape, value, text }: Saying<Value>,
): Promise<number> {
  const typed = { program: "tctl", config: options.config };
  surroundings.out(options.format === "json" ? printJson(encode(shape, value)) : hintFor(text(), typed));
  return Promise.resolve(0);
}
