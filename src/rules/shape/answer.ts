import { parseInstant, printInstant } from "../window/instant.ts";
import type { UnixSeconds } from "../window/window.ts";
import { exactly, type Form, type JsonOf, type JsonSchema, type Shape } from "./shape.ts";

/** One key of an answer: its meaning, and where its value comes from. An optional key is left out if it has no value. */
export type Key<V, J> = {
  readonly what: string;
  readonly of: Shape<unknown, J>;
  readonly from: (seen: V) => unknown;
  readonly isAlways: boolean;
};
type AlwaysKey<V, J> = Key<V, J> & { readonly isAlways: true };
type SomeKey<V, J> = Key<V, J> & { readonly isAlways: false };
export type Keys<V> = { readonly [key: string]: AlwaysKey<V, unknown> | SomeKey<V, unknown> };

type Always<K> = { [P in keyof K]: K[P] extends { readonly isAlways: true } ? P : never }[keyof K];
type JsonAt<K> = K extends { readonly of: Shape<unknown, infer J> } ? J : never;
export type RecordJson<K> = { readonly [P in keyof K as P extends Always<K> ? P : never]: JsonAt<K[P]> } & {
  readonly [P in keyof K as P extends Always<K> ? never : P]?: JsonAt<K[P]>;
};

/** A key of the record, or a function of the whole record. */
type From<V, T> = ((seen: V) => T) | { [K in keyof V]: V[K] extends T ? K : never }[keyof V];

function taking<V, T>(from: From<V, T>): (seen: V) => unknown {
  return typeof from === "function" ? from : (seen) => seen[from as keyof V];
}

export function always<V, T, J>(what: string, of: Shape<T, J>, from: From<V, NoInfer<T>>): AlwaysKey<V, J> {
  return { what, of, from: taking(from), isAlways: true };
}

export function sometimes<V, T, J>(what: string, of: Shape<T, J>, from: From<V, NoInfer<T> | undefined>): SomeKey<V, J> {
  return { what, of, from: taking(from), isAlways: false };
}

export function told<T, J>(what: string, of: Shape<T, J>): Shape<T, J> {
  return { ...of, what };
}

/** A text of any length, which is not changed. */
export const line: Shape<string, string> = { form: { kind: "text", longest: Infinity } };

/** An instant, always printed in UTC and to the second. */
export const instant: Shape<UnixSeconds, string> = {
  form: { kind: "parsed", parse: parseInstant, print: printInstant },
  schema: {
    type: "string",
    format: "date-time",
    pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$`,
    examples: ["2026-11-22T02:00:00Z"],
  },
};

/** A value whose JSON has no further description. */
export function anything<T>(schema: JsonSchema): Shape<T, T> {
  return { form: { kind: "object" }, schema };
}

export function orNull<T, J>(of: Shape<T, J>): Shape<T | undefined, J | null> {
  return { form: { kind: "null", of } };
}

export function list<T, J>(of: Shape<T, J>): Shape<readonly T[], readonly J[]> {
  return { form: { kind: "list", of, least: 0, most: Infinity, keeps: "first" } };
}

/** A record that shows part of what the program knows. Readers ignore other keys, because a later release may add some. */
export function recordOf<V>(what?: string): <K extends Keys<V>>(keys: K) => Shape<V, RecordJson<K>> {
  return (keys) => {
    const form: Form = { kind: "record", keys: Object.fromEntries(Object.entries(keys).map(formOf)), rules: { isShown: true } };
    return what === undefined ? { form } : { form, what };
  };
}

function formOf([key, { what, of, from, isAlways }]: readonly [string, Key<never, unknown>]): [string, Shape<unknown>] {
  return [key, { form: { kind: "from", of, from, isAlways }, what }];
}

/** A whole answer: its meaning and its keys. The schema number comes first. */
export function answer<V>(what: string): <K extends Keys<V>>(keys: K) => Shape<V, { readonly schema: 1 } & RecordJson<K>> {
  const schema = always("the number of this shape; under it keys are only ever added", exactly<1>(1), (_seen: V) => 1 as const);
  return (keys) => recordOf<V>(what)({ schema, ...keys }) as never;
}

type Variants<V extends { readonly kind: string }> = {
  readonly [K in V["kind"]]: Shape<Extract<V, { readonly kind: K }>>;
};

/** Records that differ by their key `kind`. */
export function kindsOf<V extends { readonly kind: string }>(): <S extends Variants<V>>(
  variants: S,
) => Shape<V, JsonOf<S[keyof S]>> {
  return (variants) => ({ form: { kind: "kinds", of: variants, later: [] } });
}
