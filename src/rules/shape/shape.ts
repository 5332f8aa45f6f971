import { quote } from "../text/quote.ts";

declare const means: unique symbol;

/** A value as it stands in JSON, described once: its type, its reader, its writer and the tests' values follow from it. */
export type Shape<T> = { readonly form: Form; readonly [means]?: T };

/** The type of what a shape describes. */
export type Of<S> = S extends { readonly [means]?: infer T } ? T : never;

type Any = Shape<unknown>;

export type Form =
  /** Printed as one line where it is "quoted": when it is written, or when it is read as well. */
  | { readonly kind: "text"; readonly longest: number; readonly quoted?: "written" | "both" }
  | { readonly kind: "parsed"; readonly parse: (found: string) => string | undefined; readonly expected: string }
  | { readonly kind: "number" | "count" | "truth" | "object" | "nothing" }
  | { readonly kind: "exactly"; readonly value: string | number; readonly later?: string }
  | { readonly kind: "words"; readonly words: Words; readonly later?: string | undefined }
  | { readonly kind: "list"; readonly of: Any; readonly most: number; readonly keeps: "first" | "last" }
  | RecordForm
  | { readonly kind: "kinds"; readonly of: Readonly<Record<string, Shape<object>>>; readonly later: readonly Later[] }
  | { readonly kind: "maybe" | "optional"; readonly of: Any }
  | { readonly kind: "else"; readonly of: Any; readonly missing: unknown; readonly isLeftOut: (value: unknown) => boolean }
  | { readonly kind: "coded"; readonly of: Any; readonly codec: Codec<unknown, unknown> };

export type RecordForm = { readonly kind: "record"; readonly keys: Keys; readonly rules: Rules };

/** By word whatever there is to say of it. */
export type Words<T extends string = string> = Readonly<Record<T, unknown>>;

type Keys = Readonly<Record<string, Any>>;

/** What one of a kind that only a later release has is read as: like one that is known, or as a record that stands for it. */
export type Later = { readonly as: Shape<object> } | { readonly standIn: object };

export type Rules = {
  /** Of a file; under another number nothing in it means what it says. */
  readonly schema?: number;
  /** What a later release meant with the keys that are known here is not carried: these change one by one. */
  readonly changes?: "by key";
  /** How much of what is unknown may be carried, printed, where that is not the usual. */
  readonly longestCarried?: number;
};

/** Between what stands in JSON and what the program works with. */
export type Codec<J, T> = {
  /** Before it is read at all. */
  readonly sift?: (found: unknown) => unknown;
  readonly read: (found: J) => T | undefined;
  readonly write: (value: T) => J;
  readonly expected: string;
};

type Optional<T> = Shape<T> & { readonly form: { readonly kind: "optional" } };
type OptionalKey<K extends Keys> = { [P in keyof K]: K[P] extends Optional<unknown> ? P : never }[keyof K];

/** Types stay readable in messages. */
type Flat<T> = { [P in keyof T]: T[P] };

export type RecordOf<K extends Keys> = Flat<
  { readonly [P in keyof K as P extends OptionalKey<K> ? never : P]: Of<K[P]> } & {
    readonly [P in keyof K as P extends OptionalKey<K> ? P : never]?: Of<K[P]> | undefined;
  }
>;

type Variants = Readonly<Record<string, Keys>>;
export type KindOf<V extends Variants> = { [K in keyof V & string]: Flat<{ readonly kind: K } & RecordOf<V[K]>> }[keyof V &
  string];

export function text(longest: number): Shape<string> {
  return { form: { kind: "text", longest } };
}

/** A text that is cut when it is written. What was written by somebody else is read as it stands. */
export function quoted(longest: number): Shape<string> {
  return { form: { kind: "text", longest, quoted: "written" } };
}

/** The same, and whatever it holds when it comes in, it is printable from there on. */
export function printable(longest: number): Shape<string> {
  return { form: { kind: "text", longest, quoted: "both" } };
}

/** A name, an id, a version as it was found. */
export const word: Shape<string> = quoted(256);
/** A reason in words. */
export const sentence: Shape<string> = quoted(500);

/** A text that a parser of another room accepts. */
export function parsed<T extends string>(parse: (found: string) => T | undefined, expected: string): Shape<T> {
  return { form: { kind: "parsed", parse, expected } };
}

export const number: Shape<number> = { form: { kind: "number" } };
export const count: Shape<number> = { form: { kind: "count" } };
export const truth: Shape<boolean> = { form: { kind: "truth" } };
export const object: Shape<object> = { form: { kind: "object" } };
/** Whatever stands there is not asked for. */
export const nothing: Shape<undefined> = { form: { kind: "nothing" } };

export function exactly<T extends string | number>(value: T): Shape<T> {
  return { form: { kind: "exactly", value } };
}

/** One of the keys of a table. `later` stands for one that only a later release has; without it such a word is unreadable. */
export function words<T extends string>(table: Words<T>, later?: NoInfer<T>): Shape<T> {
  return { form: { kind: "words", words: table, later } };
}

/** The writer keeps its first rows where there are more, or its last. */
export function listOf<T>(of: Shape<T>, most: number, keeps: "first" | "last" = "first"): Shape<readonly T[]> {
  return { form: { kind: "list", of, most, keeps } };
}

/** Written in the order of its keys. */
export function record<K extends Keys>(keys: K, rules: Rules = {}): Shape<RecordOf<K>> {
  return { form: { kind: "record", keys, rules } };
}

/** Records that their key `kind` tells apart. One that only a later release has is read as the first of `later` that it can be read as. */
export function kinds<V extends Variants>(
  variants: V,
  later: readonly ((keyof V & string) | KindOf<NoInfer<V>>)[] = [],
): Shape<KindOf<V>> {
  const of = Object.entries(variants).map(([kind, keys]) => [kind, record({ kind: exactly(kind), ...keys })] as const);
  return {
    form: {
      kind: "kinds",
      of: Object.fromEntries(of),
      later: later.map((one) => {
        if (typeof one !== "string") return { standIn: one };
        const kind: Any = { form: { kind: "exactly", value: one, later: one } };
        return { as: record({ kind, ...variants[one] }) };
      }),
    },
  };
}

/** Undefined where there is nothing to say; then its key is left out. */
export function maybe<T>(of: Shape<T>): Shape<T | undefined> {
  return { form: { kind: "maybe", of } };
}

/** The same, and the key is missing in the program as well. */
export function optional<T>(of: Shape<T>): Optional<T> {
  return { form: { kind: "optional", of } };
}

/** A key that an earlier release did not write, or that is left out as long as it says no more than `missing`. */
export function orElse<T>(of: Shape<T>, missing: NoInfer<T>, isLeftOut: (value: T) => boolean = () => false): Shape<T> {
  return { form: { kind: "else", of, missing, isLeftOut: isLeftOut as (value: unknown) => boolean } };
}

export function coded<J, T>(of: Shape<J>, codec: Codec<J, T>): Shape<T> {
  return { form: { kind: "coded", of, codec: codec as Codec<unknown, unknown> } };
}

/** How long a text that `quote` cut may be: it ends in an ellipsis, and a character may be two of those that a string counts. */
export function lengthOfQuoted(longest: number): number {
  return 2 * longest + 1;
}

export function printed(value: string, { longest, quoted: when }: Extract<Form, { kind: "text" }>): string {
  return when === undefined ? value : quote(value, longest);
}
