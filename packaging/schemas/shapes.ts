/** A JSON Schema, draft 2020-12, or a part of one. */
export type JsonSchema = { readonly [keyword: string]: unknown };

type Properties = Readonly<Record<string, JsonSchema>>;

/** What is always there, and what only where there is something to say. */
export type Keys = { readonly always: Properties; readonly sometimes?: Properties };

/** Other keys are let pass, because a later version may add some: never say `additionalProperties: false` here. */
export function record(description: string, { always, sometimes = {} }: Keys): JsonSchema {
  return { description, type: "object", properties: { ...always, ...sometimes }, required: Object.keys(always) };
}

export function text(description: string): JsonSchema {
  return { description, type: "string" };
}

export function truth(description: string): JsonSchema {
  return { description, type: "boolean" };
}

export function count(description: string): JsonSchema {
  return { description, type: "integer", minimum: 0 };
}

/** Always in UTC and to the second. */
export function instant(description: string): JsonSchema {
  const pattern = String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$`;
  return { description, type: "string", format: "date-time", pattern, examples: ["2026-11-22T02:00:00Z"] };
}

export function list(description: string, items: JsonSchema): JsonSchema {
  return { description, type: "array", items };
}

/** One word of a table; later versions may add words. */
export function oneOf(description: string, meanings: Readonly<Record<string, string>>): JsonSchema {
  return { description, oneOf: Object.entries(meanings).map(([word, meaning]) => ({ const: word, description: meaning })) };
}

export function exactly(description: string, value: string | number): JsonSchema {
  return { description, const: value };
}

/** Records that one of their words tells apart. */
export function eitherOf(description: string, shapes: readonly JsonSchema[]): JsonSchema {
  return { description, oneOf: shapes };
}
