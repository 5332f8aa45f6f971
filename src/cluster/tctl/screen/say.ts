import type { Shown } from "../../../rules/shape/json-answer.ts";
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
  surroundings.out(options.format === "json" ? printJson(shape.write(value)) : text());
  return Promise.resolve(0);
}
