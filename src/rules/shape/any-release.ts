import { schemaOf } from "./schema.ts";
import type { JsonSchema, Shape } from "./shape.ts";

/** Accepts words of a later release in a past record: that release may have written it before svc-upgrade itself was rolled back. */
export function ofAnyRelease<T, J>(of: Shape<T, J>): Shape<T, J> {
  return {
    ...of,
    get schema() {
      return widened(schemaOf(of)) as JsonSchema;
    },
  };
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

/** Describes a record of an unknown kind by the keys of the most similar kind. */
function otherKind(choices: readonly JsonSchema[]): JsonSchema {
  const kinds = choices.map((choice) => (choice["properties"] as Readonly<Record<string, JsonSchema>>)["kind"]?.["const"]);
  return {
    description: "one of a kind that a later release has",
    type: "object",
    patternProperties: { "^kind$": otherWord(kinds) },
    required: ["kind"],
  };
}
