import type { JsonSchema, Shown } from "./json-answer.ts";

/**
 * The same shape for what is past: a pass may have been one of a later release, before a rollback of svc-upgrade itself, and then it
 * is told in that release's words.
 */
export function ofAnyRelease<V, J>(of: Shown<V, J>): Shown<V, J> {
  return { write: of.write, schema: () => widened(of.schema()) as JsonSchema };
}

function widened(shape: unknown): unknown {
  if (Array.isArray(shape)) return shape.map(widened);
  if (typeof shape !== "object" || shape === null) return shape;
  const wide = Object.fromEntries(Object.entries(shape).map(([keyword, value]) => [keyword, widened(value)]));
  const choices: unknown = wide["oneOf"];
  if (!Array.isArray(choices)) return wide;
  const words = choices.map((choice: JsonSchema) => choice["const"]);
  const other = words.every((word) => word !== undefined) ? otherWord(words) : otherKind(choices);
  return { ...wide, oneOf: [...(choices as readonly unknown[]), other] };
}

function otherWord(known: readonly unknown[]): JsonSchema {
  return { description: "a word of a later release", type: "string", not: { enum: known } };
}

/** Its keys are those of what resembles it most. */
function otherKind(choices: readonly JsonSchema[]): JsonSchema {
  const kinds = choices.map((choice) => (choice["properties"] as Readonly<Record<string, JsonSchema>>)["kind"]?.["const"]);
  return {
    description: "one of a kind that a later release has",
    type: "object",
    patternProperties: { "^kind$": otherWord(kinds) },
    required: ["kind"],
  };
}
