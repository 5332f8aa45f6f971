import { quote } from "../../rules/text/quote.ts";
import { nearest } from "../../rules/text/nearest.ts";
import {
  accepted,
  describe,
  isMapping,
  refused,
  refusedAs,
  type Mapping,
  type RefusedSetting,
  type SettingReading,
} from "../../rules/settings/reading.ts";
import { readFlag } from "../../rules/settings/read-text.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/**
 * Where a value comes from. A file was written by a person, and a key that means nothing is a slip. What is stored may have been
 * written by a later release: what only that one knows is kept as it is. `long-file`: `mostTold` faults were found in it already.
 */
export type Source = "file" | "store" | "long-file";

/** Beyond these, the faults of a file are counted and get no more help: a million bytes hold a hundred thousand. */
export const mostTold = 50;

/** A value of a resource, described once: its type, its reader, its writer and what is told of it follow from this. */
export type Form<Value> = {
  readonly read: (raw: unknown, source: Source) => SettingReading<Value>;
  readonly write: (value: Value) => unknown;
  readonly allowed: string;
};

/** What a key that is not there stands for, and whether that is written all the same; undefined: it has to be there. */
type Absent<Value> = { readonly value: Value; readonly isWritten: boolean };

export type Key<Value> = Form<Value> & { readonly absent: Absent<Value> | undefined };

/** Any form, where what it means does not count. */
export type AnyForm = {
  readonly read: (raw: unknown, source: Source) => SettingReading<unknown>;
  readonly write: (value: never) => unknown;
  readonly allowed: string;
};

export type AnyKey = AnyForm & { readonly absent: Absent<unknown> | undefined };

type Keys = Readonly<Record<string, AnyKey>>;

/** Keys that nothing here reads, as they came. */
export const carried: unique symbol = Symbol("carried");
type Carrying = { readonly [carried]?: Readonly<Record<string, unknown>> };

export type ValuesOf<Of extends Keys> = {
  readonly [Name in keyof Of]: Of[Name] extends Key<infer Value> ? Value : never;
} & Carrying;

export function needed<Value>(form: Form<Value>): Key<Value> {
  return { ...form, absent: undefined };
}

/** Written only where it says something else. */
export function orElse<Value>(form: Form<Value>, value: NoInfer<Value>): Key<Value> {
  return { ...form, absent: { value, isWritten: false } };
}

/** Goes without saying for people, and is always written for them. */
export function understood<Value>(form: Form<Value>, value: NoInfer<Value>): Key<Value> {
  return { ...form, absent: { value, isWritten: true } };
}

export function maybe<Value>(form: Form<Value>): Key<Value | undefined> {
  const write = (value: Value | undefined): unknown => (value === undefined ? undefined : form.write(value));
  return { ...form, write, absent: { value: undefined, isWritten: false } };
}

/** Whose the keys of a mapping are that it does not name: nobody's, or of a part of the cluster that keeps them as they are. */
type Others = "nobody's" | "kept";

/** Every value that is right, and every fault, in one reading. */
export function mapping<Of extends Keys>(keys: Of, others: Others = "nobody's"): Form<ValuesOf<Of>> {
  const level = { keys, entries: Object.entries(keys) };
  const read = (raw: unknown, source: Source): SettingReading<unknown> => {
    return isMapping(raw) ? readMapping(raw, { ...level, others: source === "store" ? "kept" : others }, source) : refused(raw);
  };
  return {
    read: read as Form<ValuesOf<Of>>["read"],
    write: (values) => writeMapping(values, keys),
    allowed: `a mapping of ${Object.keys(keys).join(", ")}`,
  };
}

type Level = { readonly keys: Keys; readonly entries: readonly (readonly [string, AnyKey])[]; readonly others: Others };

const none: readonly string[] = [];

/** A list of ten thousand hosts reads twice as many: what no key needs is not made. */
function readMapping(raw: Mapping, { keys, entries, others }: Level, source: Source): SettingReading<unknown> {
  const values: Record<string, unknown> = {};
  const refusals: RefusedSetting[] = [];
  const unnamed = Object.keys(raw).filter((name) => !Object.hasOwn(keys, name));
  const misspelt = others === "kept" ? none : unnamed;
  const names = misspelt.length === 0 ? none : Object.keys(keys);
  const meant = source === "file" ? misspelt.slice(0, mostTold).map((name) => nearest(name, names)) : [];
  for (const [name, key] of entries) {
    const given = Object.hasOwn(raw, name) ? (raw[name] ?? undefined) : undefined;
    if (given === undefined && key.absent !== undefined) {
      values[name] = key.absent.value;
      continue;
    }
    // A slip in the name of a key is told once, where it stands.
    if (given === undefined && meant.includes(name)) continue;
    const reading = key.read(given, source);
    if (reading.kind === "value") values[name] = reading.value;
    else for (const refusal of reading.refusals) refusals.push(below(name, refusal, key.allowed));
  }
  const allowed = names.join(", ");
  for (const [index, name] of misspelt.entries()) refusals.push(unknownKey(name, meant[index], allowed));
  if (refusals.length > 0) return refusedAs(refusals);
  if (unnamed.length === 0) return accepted(values);
  return accepted({ ...values, [carried]: Object.fromEntries(unnamed.map((name) => [name, raw[name]])) });
}

function below(name: string, { at, found, allowed }: RefusedSetting, otherwise: string): RefusedSetting {
  return { at: `.${name}${at}`, found, allowed: allowed ?? otherwise };
}

function unknownKey(name: string, meant: string | undefined, allowed: string): RefusedSetting {
  const found = meant === undefined ? "unknown key" : `unknown key, did you mean ${meant}?`;
  return { at: `.${quote(name)}`, found, allowed };
}

function writeMapping(values: Mapping & Carrying, keys: Keys): unknown {
  const written = Object.entries(keys).map(([name, key]) => [name, writeKey(values[name], key)]);
  return Object.fromEntries([...written.filter(([, value]) => value !== undefined), ...Object.entries(values[carried] ?? {})]);
}

/** The value is the key's own: it was read by it. */
function writeKey(value: unknown, { absent, write }: AnyKey): unknown {
  const written = write(value as never);
  const isLeftOut = absent !== undefined && !absent.isWritten && isSame(written, write(absent.value as never));
  return isLeftOut ? undefined : written;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function listOf<Value>(form: Form<Value>, most: number): Form<readonly Value[]> {
  return {
    read: (raw, source) => {
      if (!Array.isArray(raw)) return refused(raw);
      if (raw.length > most) return refusedAs([{ at: "", found: `a list of ${raw.length}`, allowed: `at most ${most}` }]);
      return readItems(raw, form, source);
    },
    write: (values) => values.map((value) => form.write(value)),
    allowed: `a list of ${form.allowed}`,
  };
}

function readItems<Value>(items: readonly unknown[], form: Form<Value>, source: Source): SettingReading<readonly Value[]> {
  const values: Value[] = [];
  const refusals: RefusedSetting[] = [];
  for (const [index, item] of items.entries()) {
    const reading = form.read(item, after(refusals, source));
    if (reading.kind === "value") values.push(reading.value);
    else {
      for (const { at, found, allowed = form.allowed } of reading.refusals) {
        refusals.push({ at: `[${index}]${at}`, found, allowed });
      }
    }
  }
  return refusals.length > 0 ? refusedAs(refusals) : accepted(values);
}

function after(refusals: readonly RefusedSetting[], source: Source): Source {
  return source === "file" && refusals.length >= mostTold ? "long-file" : source;
}

/** A mapping whose keys are names of the author's. */
export function byName<Value>(
  form: Form<Value>,
  rule: { readonly isName: (name: string) => boolean; readonly allowed: string },
): Form<Readonly<Record<string, Value>>> {
  return {
    read: (raw, source) => {
      if (!isMapping(raw)) return refused(raw);
      const values: Record<string, Value> = Object.create(null) as Record<string, Value>;
      const refusals: RefusedSetting[] = [];
      for (const [name, item] of Object.entries(raw)) {
        const reading = form.read(item, after(refusals, source));
        if (!rule.isName(name)) refusals.push({ at: "", found: `the name "${quote(name)}"`, allowed: rule.allowed });
        else if (reading.kind === "value") values[name] = reading.value;
        else for (const refusal of reading.refusals) refusals.push(below(name, refusal, form.allowed));
      }
      return refusals.length > 0 ? refusedAs(refusals) : accepted(values);
    },
    write: (values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, form.write(value)])),
    allowed: `a mapping of names to ${form.allowed}`,
  };
}

/** One of a few words; what is stored may hold one of a later release. */
export function word(known: Readonly<Record<string, unknown>>): Form<string> {
  const words = Object.keys(known);
  return {
    read: (raw, source) => {
      if (typeof raw !== "string") return refused(raw);
      if (Object.hasOwn(known, raw) || (source === "store" && raw !== "")) return accepted(raw);
      const meant = source === "file" ? nearest(raw, words) : undefined;
      return refusedAs([{ at: "", found: meant === undefined ? describe(raw) : `${describe(raw)}, did you mean ${meant}?` }]);
    },
    write: (value) => value,
    allowed: words.join(", "),
  };
}

/** By a reader that the settings have too. */
export function plain<Value>(
  read: (raw: unknown) => SettingReading<Value>,
  allowed: string,
  write: (value: Value) => unknown = (value) => value,
): Form<Value> {
  return { read: (raw) => read(raw), write, allowed };
}

export function matching<Text extends string>(parse: (text: string) => Text | undefined, allowed: string): Form<Text> {
  return plain((raw) => {
    const parsed = typeof raw === "string" ? parse(raw) : undefined;
    return parsed === undefined ? refused(raw) : accepted(parsed);
  }, allowed);
}

export function between(least: number, most: number, allowed: string): Form<number> {
  return plain((raw) => {
    const isInside = typeof raw === "number" && Number.isInteger(raw) && raw >= least && raw <= most;
    return isInside ? accepted(raw) : refused(raw);
  }, allowed);
}

export const seconds: Form<UnixSeconds> = plain(
  (raw) => (Number.isSafeInteger(raw) && (raw as number) >= 0 ? accepted(raw as number) : refused(raw)),
  `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`,
);

export const flag: Form<boolean> = plain(readFlag, "true or false");

export function like(pattern: RegExp, allowed: string): Form<string> {
  return matching((text) => (pattern.test(text) ? text : undefined), allowed);
}

/** It goes to terminals and logs as it is. */
export const plainText: Form<string> = like(/^[\w.@:/ +~-]{0,128}$/, "at most 128 letters, digits, blanks and . _ @ : / + ~ -");
