import type { JsonSchema, Keys, Shape } from "./shape.ts";

export function schemaOf(shape: Shape<unknown>): JsonSchema {
  const own = shape.schema ?? formSchema(shape);
  if (shape.what === undefined) return own;
  const { description: _own, ...schema } = own;
  return { description: shape.what, ...schema };
}

function formSchema({ form }: Shape<unknown>): JsonSchema {
  switch (form.kind) {
    case "text":
      return { type: "string" };
    case "whole":
      return { type: "integer", minimum: form.least };
    case "truth":
      return { type: "boolean" };
    case "exactly":
      return { const: form.value };
    case "words":
      return { oneOf: Object.entries(form.words).map(([word, row]) => ({ const: word, description: meaningOf(row) })) };
    case "list":
      return { type: "array", items: schemaOf(form.of) };
    case "named":
      return { type: "object", additionalProperties: schemaOf(form.of) };
    case "null":
      return { ...schemaOf(form.of), type: [schemaOf(form.of)["type"], "null"] };
    case "from":
      return schemaOf(form.of);
    case "record":
      return recordSchema(form.keys);
    case "kinds":
      return { oneOf: Object.values(form.of).map(schemaOf) };
    default:
      throw new Error(`no answer shows a ${form.kind}`);
  }
}

/** Drops backquotes, which are for documents. */
function meaningOf(row: unknown): string {
  return typeof row === "string" ? row : (row as { readonly meaning: string }).meaning.replaceAll("`", "");
}

/** Puts required keys first. */
function recordSchema(keys: Keys): JsonSchema {
  const isAlways = ([, { form }]: readonly [string, Shape<unknown>]): boolean => form.kind !== "from" || form.isAlways;
  const rows = Object.entries(keys).toSorted((left, right) => Number(isAlways(right)) - Number(isAlways(left)));
  return {
    type: "object",
    properties: Object.fromEntries(rows.map(([key, of]) => [key, schemaOf(of)])),
    required: rows.filter(isAlways).map(([key]) => key),
  };
}
