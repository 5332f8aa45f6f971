import { quote } from "../text/quote.ts";
import type { Read, SettingReading } from "./reading.ts";
import { beyondOf } from "./unknown-keys.ts";

declare const means: unique symbol;
declare const json: unique symbol;

/** A JSON Schema, draft 2020-12, or a part of one. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * Describes a value in JSON or YAML once. From it follow the value's type, its two readers (`check` for people's files, `decode` for stored ones),
 * its writer, and values for tests. In faults, `allowed` replaces the form's own words.
 */
export type Shape<T, J = unknown> = {
  readonly form: Form;
  readonly allowed?: string;
  /** A description in words, for a JSON Schema. */
  readonly what?: string;
  /** Set if the schema does not follow from the form. */
  readonly schema?: JsonSchema;
  readonly [means]?: T;
  readonly [json]?: J;
};

/** The type that a shape describes. */
export type Of<S> = S extends { readonly [means]?: infer T } ? T : never;

/** The type of a shape's JSON. */
export type JsonOf<S> = S extends { readonly [json]?: infer J } ? J : never;

type Any = Shape<unknown>;

export type Form =
  /** "written": the text is made one printable line when it is written. "both": also when it is read. */
  | { readonly kind: "text"; readonly longest: number; readonly quoted?: "written" | "both" }
  | {
      readonly kind: "parsed";
      readonly parse: (found: string) => unknown;
      readonly print?: ((value: never) => string) | undefined;
    }
  | { readonly kind: "number" | "truth" | "object" | "nothing" }
  | { readonly kind: "whole"; readonly least: number; readonly most: number }
  | { readonly kind: "own"; readonly read: Read<unknown> }
  | { readonly kind: "exactly"; readonly value: string | number; readonly later?: string }
  | { readonly kind: "words"; readonly words: Words; readonly later?: string | undefined; readonly isOpen?: true }
  | { readonly kind: "list"; readonly of: Any; readonly least: number; readonly most: number; readonly keeps: "first" | "last" }
  | Named
  | RecordForm
  | { readonly kind: "kinds"; readonly of: Readonly<Record<string, Shape<object>>>; readonly later: readonly Later[] }
  | { readonly kind: "maybe" | "optional" | "null"; readonly of: Any }
  /** A key of an answer, made from the whole record. */
  | { readonly kind: "from"; readonly of: Any; readonly from: (seen: never) => unknown; readonly isAlways: boolean }
  | { readonly kind: "else"; readonly of: Any; readonly missing: unknown; readonly isLeftOut: (value: unknown) => boolean }
  | { readonly kind: "coded"; readonly of: Any; readonly codec: Codec<unknown, unknown> }
  | { readonly kind: "refined"; readonly of: Any; readonly refine: (value: unknown, raw: unknown) => SettingReading<unknown> };

export type RecordForm = { readonly kind: "record"; readonly keys: Keys; readonly rules: Rules };

/** A mapping with names as keys. `name` says which names are allowed. */
type Named = {
  readonly kind: "named";
  readonly of: Any;
  readonly isName: (name: string) => boolean;
  readonly name: string;
  readonly most: number;
};

/** A table of words, each with its meaning. */
export type Words<T extends string = string> = Readonly<Record<T, unknown>>;

export type Keys = Readonly<Record<string, Any>>;

/** How a later release's kind is read: as if it were a known kind, or as a record that stands for it. */
export type Later = { readonly as: Shape<object> } | { readonly standIn: object };

export type Rules = {
  /** The file's schema number. Under another number, nothing in the file has the same meaning. */
  readonly schema?: number;
  /** Does not carry a later release's values of known keys, because these keys change one by one. */
  readonly changes?: "by key";
  /** For answers that people read: only described keys, and nothing of a later release. */
  readonly isShown?: true;
  /** What undescribed keys mean. A stored record keeps them all. */
  readonly others?: Others;
  /** How much unknown text to carry, printed, if not the usual amount. */
  readonly longestCarried?: number;
};

/** Converts between JSON and the program's value. */
export type Codec<J, T> = {
  /** Changes what was found before it is read. */
  readonly sift?: (found: unknown) => unknown;
  readonly read: (found: J) => T | undefined;
  readonly write: (value: T) => J;
  readonly expected: string;
};

/** What undescribed keys mean. */
export type Others =
  /** Each unknown key is a fault. */
  | { readonly kind: "none" }
  /** Unknown keys stay unchanged. */
  | { readonly kind: "kept" }
  /** Unknown keys belong to another program with similar keys, so a near miss of ours is a fault. */
  | { readonly kind: "others"; readonly known: readonly string[] };

type Optional<T> = Shape<T> & { readonly form: { readonly kind: "optional" } };
type OptionalKey<K extends Keys> = { [P in keyof K]: K[P] extends Optional<unknown> ? P : never }[keyof K];

/** Makes types readable in the compiler's messages. */
type Flat<T> = { [P in keyof T]: T[P] };

export type RecordOf<K extends Keys> = Flat<
  { readonly [P in keyof K as P extends OptionalKey<K> ? never : P]: Of<K[P]> } & {
    readonly [P in keyof K as P extends OptionalKey<K> ? P : never]?: Of<K[P]> | undefined;
  }
>;

type Variants = Readonly<Record<string, Keys>>;
export type KindOf<V extends Variants> = { [K in keyof V & string]: Flat<{ readonly kind: K } & RecordOf<V[K]>> }[keyof V &
  string];

export function text(longest: number): Shape<string, string> {
  return { form: { kind: "text", longest } };
}

/** A text that is cut when it is written. A text that somebody else wrote is read unchanged. */
export function quoted(longest: number): Shape<string> {
  return { form: { kind: "text", longest, quoted: "written" } };
}

/** A text that is made printable when it is read. */
export function printable(longest: number): Shape<string> {
  return { form: { kind: "text", longest, quoted: "both" } };
}

/** A name, an id, a version as it was found. */
export const word: Shape<string> = quoted(256);
/** A reason in words. */
export const sentence: Shape<string> = quoted(500);

/** A text that a parser reads. If the value is no text, `print` writes it. */
export function parsed<T>(parse: (found: string) => T | undefined, allowed: string, print?: (value: T) => string): Shape<T> {
  return { form: { kind: "parsed", parse, print }, allowed };
}

export function matching(pattern: RegExp, allowed: string): Shape<string> {
  return parsed((found) => (pattern.test(found) ? found : undefined), allowed);
}

export const number: Shape<number> = { form: { kind: "number" } };

export function whole(least: number, most: number, allowed?: string): Shape<number, number> {
  return { form: { kind: "whole", least, most }, allowed: allowed ?? `a whole number from ${least} to ${most}` };
}

export const count: Shape<number, number> = whole(0, Number.MAX_SAFE_INTEGER);
export const truth: Shape<boolean, boolean> = { form: { kind: "truth" } };
export const object: Shape<object> = { form: { kind: "object" } };
/** Any value. It is ignored. */
export const nothing: Shape<undefined> = { form: { kind: "nothing" } };

export function exactly<T extends string | number>(value: T): Shape<T, T> {
  return { form: { kind: "exactly", value } };
}

/** A value that only its own reader can judge. */
export function own<T>(read: Read<T>, allowed: string): Shape<T> {
  return { form: { kind: "own", read }, allowed };
}

/** A value that is judged as a whole. If `refine` changes the value, nothing writes it. */
export function refined<J, T>(of: Shape<J>, refine: (value: J, raw: unknown) => SettingReading<T>): Shape<T> {
  const form: Form = { kind: "refined", of, refine: refine as (value: unknown, raw: unknown) => SettingReading<unknown> };
  return of.allowed === undefined ? { form } : { form, allowed: of.allowed };
}

/** The same value, with other words for what is allowed. */
export function allowing<T>(allowed: string, of: Shape<T>): Shape<T> {
  return { ...of, allowed };
}

/** One of a few words. */
export function oneOf<const T extends string>(known: readonly T[]): Shape<T> {
  return words(Object.fromEntries(known.map((one) => [one, true])) as Record<T, true>);
}

/** One of the keys of a table. `later` stands for a later release's word; without it, such a word cannot be read. */
export function words<T extends string>(table: Words<T>, later?: NoInfer<T>): Shape<T, T> {
  return { form: { kind: "words", words: table, later } };
}

/** Like `words`, but keeps a stored word of a later release. */
export function openWords(table: Words): Shape<string> {
  return { form: { kind: "words", words: table, isOpen: true } };
}

/** A list. The writer cuts a longer one to its first rows, or to its last. */
export function listOf<T>(of: Shape<T>, most: number, keeps: "first" | "last" = "first"): Shape<readonly T[]> {
  return { form: { kind: "list", of, least: 0, most, keeps } };
}

export function someOf<T>(of: Shape<T>, most: number): Shape<readonly [T, ...T[]]> {
  return { form: { kind: "list", of, least: 1, most, keeps: "first" } };
}

export function named<T>(of: Shape<T>, rule: Pick<Named, "isName" | "name" | "most">): Shape<Readonly<Record<string, T>>> {
  return { form: { kind: "named", of, ...rule } };
}

/** A record. It is written in the order of its keys. */
export function record<K extends Keys>(keys: K, rules: Rules = {}): Shape<RecordOf<K>> {
  return { form: { kind: "record", keys, rules } };
}

export function keysOf({ form }: Shape<object>): readonly string[] {
  return form.kind === "record" ? Object.keys(form.keys) : [];
}

/** Records that differ by their key `kind`. A later release's unknown kind is read as the first of `later` that fits. */
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

/** A value that may be undefined, and is then left out. */
export function maybe<T>(of: Shape<T>): Shape<T | undefined> {
  return { form: { kind: "maybe", of } };
}

/** A key that may be missing, in the stored text and in the program. */
export function optional<T>(of: Shape<T>): Optional<T> {
  return { form: { kind: "optional", of } };
}

/** A key that an earlier release did not write, or that is left out while it equals `missing`. */
export function orElse<T>(of: Shape<T>, missing: NoInfer<T>, isLeftOut: (value: T) => boolean = () => false): Shape<T> {
  return { form: { kind: "else", of, missing, isLeftOut: isLeftOut as (value: unknown) => boolean } };
}

/** A key that is written only if it differs from `missing`. */
export function byDefault<T>(of: Shape<T>, missing: NoInfer<T>): Shape<T> {
  const usual = JSON.stringify(missing);
  const carriesNothing = (value: T): boolean =>
    typeof value !== "object" || value === null || Object.keys(beyondOf(value)).length === 0;
  return orElse(of, missing, (value) => JSON.stringify(value) === usual && carriesNothing(value));
}

export function coded<J, T>(of: Shape<J>, codec: Codec<J, T>): Shape<T> {
  return { form: { kind: "coded", of, codec: codec as Codec<unknown, unknown> } };
}

/** The longest text that `quote` can return: an ellipsis may be added, and a character may count twice. */
export function lengthOfQuoted(longest: number): number {
  return 2 * longest + 1;
}

export function printed(value: string, { longest, quoted: when }: Extract<Form, { kind: "text" }>): string {
  return when === undefined ? value : quote(value, longest);
}
