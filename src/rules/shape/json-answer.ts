import { printInstant } from "../window/instant.ts";
import type { UnixSeconds } from "../window/window.ts";

/** A JSON Schema, draft 2020-12, or a part of one. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A part of an answer for programs, described once: how it comes from what the program knows, its type in JSON, and its schema. */
export type Shown<V, J> = {
  readonly write: (value: V) => J;
  /** The same shape in words for whoever reads the JSON; made where it is asked for. */
  readonly schema: () => JsonSchema;
};

export type JsonOf<S> = S extends { readonly write: (value: never) => infer J } ? J : never;

/** One key of a record, and what it is. A key that is not always there is left out where there is nothing to say. */
type Key<V, J> = Shown<V, J> & { readonly isAlways: true };
type SomeKey<V, J> = Shown<V, J | undefined> & { readonly isAlways: false };
export type Keys<V> = { readonly [key: string]: Key<V, unknown> | SomeKey<V, unknown> };

type Always<K> = { [P in keyof K]: K[P] extends { readonly isAlways: true } ? P : never }[keyof K];
export type RecordJson<K> = { readonly [P in keyof K as P extends Always<K> ? P : never]: JsonOf<K[P]> } & {
  readonly [P in keyof K as P extends Always<K> ? never : P]?: JsonOf<K[P]>;
};

/** Where the value of a key comes from: what has the same name or another, or what follows from it all. */
type From<V, T> = ((seen: V) => T) | { [K in keyof V]: V[K] extends T ? K : never }[keyof V];

function taken<V, T>(seen: V, from: From<V, T>): T {
  return typeof from === "function" ? from(seen) : (seen[from as keyof V] as T);
}

export function always<V, T, J>(what: string, of: Shown<T, J>, from: From<V, NoInfer<T>>): Key<V, J> {
  return { isAlways: true, write: (seen) => of.write(taken(seen, from)), schema: () => described(what, of.schema()) };
}

export function sometimes<V, T, J>(what: string, of: Shown<T, J>, from: From<V, NoInfer<T> | undefined>): SomeKey<V, J> {
  const write = (seen: V): J | undefined => {
    const value = taken(seen, from);
    return value === undefined ? undefined : of.write(value);
  };
  return { isAlways: false, write, schema: () => described(what, of.schema()) };
}

export function told<V, J>(what: string, of: Shown<V, J>): Shown<V, J> {
  return { write: of.write, schema: () => described(what, of.schema()) };
}

function described(what: string, { description: _own, ...schema }: JsonSchema): JsonSchema {
  return { description: what, ...schema };
}

export const line: Shown<string, string> = { write: (value) => value, schema: () => ({ type: "string" }) };
export const truth: Shown<boolean, boolean> = { write: (value) => value, schema: () => ({ type: "boolean" }) };
export const count: Shown<number, number> = { write: (value) => value, schema: () => ({ type: "integer", minimum: 0 }) };

export function exactly<T extends string | number>(value: T): Shown<T, T> {
  return { write: (found) => found, schema: () => ({ const: value }) };
}

/** Always in UTC and to the second. */
export const instant: Shown<UnixSeconds, string> = {
  write: printInstant,
  schema: () => ({
    type: "string",
    format: "date-time",
    pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$`,
    examples: ["2026-11-22T02:00:00Z"],
  }),
};

/** One word of a table, by word what it means; later versions may add words. Backquotes are for documents. */
export function words<T extends string>(table: Readonly<Record<T, string | { readonly meaning: string }>>): Shown<T, T> {
  const choices = (): readonly JsonSchema[] =>
    Object.entries<string | { readonly meaning: string }>(table).map(([word, row]) => {
      const meaning = typeof row === "string" ? row : row.meaning.replaceAll("`", "");
      return { const: word, description: meaning };
    });
  return { write: (value) => value, schema: () => ({ oneOf: choices() }) };
}

export function orNull<V, J>(of: Shown<V, J>): Shown<V | undefined, J | null> {
  return {
    write: (value) => (value === undefined ? null : of.write(value)),
    schema: () => ({ ...of.schema(), type: [of.schema()["type"], "null"] }),
  };
}

export function list<V, J>(of: Shown<V, J>): Shown<readonly V[], readonly J[]> {
  return { write: (values) => values.map(of.write), schema: () => ({ type: "array", items: of.schema() }) };
}

/** Other keys are let pass, because a later version may add some: a schema never says `additionalProperties: false`. */
export function record<V>(what?: string): <K extends Keys<V>>(keys: K) => Shown<V, RecordJson<K>> {
  return (keys) => ({
    write: (seen) => Object.fromEntries(Object.entries(keys).map(([key, of]) => [key, of.write(seen)])) as never,
    schema: () => {
      const rows = Object.entries(keys).toSorted(([, left], [, right]) => Number(right.isAlways) - Number(left.isAlways));
      const required = rows.filter(([, { isAlways }]) => isAlways).map(([key]) => key);
      return {
        ...(what === undefined ? {} : { description: what }),
        type: "object",
        properties: Object.fromEntries(rows.map(([key, of]) => [key, of.schema()])),
        required,
      };
    },
  });
}

/** A whole answer: what it tells, and its keys behind the number of its shape. */
export function answer<V>(what: string): <K extends Keys<V>>(keys: K) => Shown<V, { readonly schema: 1 } & RecordJson<K>> {
  const schema = always("the number of this shape; under it keys are only ever added", exactly<1>(1), (_seen: V) => 1 as const);
  return (keys) => told(what, record<V>()({ schema, ...keys })) as never;
}

type Variants<V extends { readonly kind: string }> = {
  readonly [K in V["kind"]]: Shown<Extract<V, { readonly kind: K }>, unknown>;
};

/** Records that their key `kind` tells apart. */
export function kinds<V extends { readonly kind: string }>(): <S extends Variants<V>>(
  variants: S,
) => Shown<V, JsonOf<S[keyof S]>> {
  return (variants) => {
    const shapes = variants as unknown as Readonly<Record<string, Shown<V, unknown>>>;
    return {
      write: (value) => shapes[value.kind]?.write(value) as never,
      schema: () => ({ oneOf: Object.values(shapes).map((shape) => shape.schema()) }),
    };
  };
}
