import type { Answer } from "./answer.ts";
import { exactly, record, type JsonSchema } from "./shapes.ts";

/** With the key that every answer begins with. */
export function wholeAnswer(answer: Answer): JsonSchema {
  const { told: description } = answer;
  if ("shape" in answer) return { description, ...answer.shape.schema() };
  const { always, sometimes = {} } = answer.keys;
  const schema = exactly("the number of this shape; under it keys are only ever added", 1);
  return record(description, { always: { schema, ...always }, sometimes });
}
