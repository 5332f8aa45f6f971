import type { Shown } from "../../../rules/shape/json-answer.ts";
import { hintFor } from "../../../machine/command-line/hint-for.ts";
import type { TctlContext } from "../context.ts";
import { printJson } from "../../../rules/shape/print-json.ts";

export type Saying<Value> = {
  readonly shape: Shown<Value, unknown>;
  readonly value: Value;
  /** For people. */
  readonly text: () => string;
};

/** An answer in the format that was asked for. */
export function say<Value>(
  { surroundings, options }: Pick<TctlContext, "surroundings" | "options">,
  { shape, value, text }: Saying<Value>,
): Promise<number> {
  const typed = { program: "tctl", config: options.config };
  surroundings.out(options.format === "json" ? printJson(shape.write(value)) : hintFor(text(), typed));
  return Promise.resolve(0);
}
