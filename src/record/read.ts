import { parseDecisionNumber, type DecisionNumber } from "../channel/decision-number.ts";
import { parseChannelsDigest, type ChannelsDigest } from "../channel/digest.ts";
import { parseVersion, type Version } from "../version/version.ts";
import { parsePackageVersion, type PackageVersion } from "../version/wrapped.ts";
import { carrying, laterKey, laterOf } from "../shape/beyond.ts";

/** Takes a value apart, or throws Malformed. `at` is the place, in words a person can look up in the file. */
export type Reader<T> = (value: unknown, at: string) => T;

export type Reading<T> = { readonly kind: "read"; readonly value: T } | { readonly kind: "unreadable"; readonly why: string };

/** Never leaves this file: `readJson` turns it into a value. */
class Malformed extends Error {}

/** Any text in, a value out: no text makes this throw. */
export function readJson<T>(found: string, reader: Reader<T>): Reading<T> {
  let value: unknown;
  try {
    value = JSON.parse(found);
  } catch {
    // The parser's own message quotes the text, which may be anything.
    return { kind: "unreadable", why: found.trim() === "" ? "it is empty" : "it is not JSON" };
  }
  try {
    return { kind: "read", value: reader(value, "") };
  } catch (thrown) {
    if (thrown instanceof Malformed) return { kind: "unreadable", why: thrown.message };
    throw thrown;
  }
}

export function malformed(at: string, expected: string): never {
  throw new Malformed(`${at === "" ? "the whole" : at} is not ${expected}`);
}

/** A word where one is wanted, and not one that is known here. */
class UnknownWord extends Malformed {}

export type Rules<T> = {
  /**
   * Of keys that a later release added. "carried": they stay with what is read. "changed by key": they do too, but not what a
   * later release meant with the keys that are known here, because these change one by one. "ignored": they are not kept.
   */
  readonly unknown?: "carried" | "changed by key" | "ignored";
  /** What stands for a word of a later release; without one such a word makes the whole unreadable. */
  readonly instead?: { readonly [K in keyof T]?: T[K] };
  /** How much of what is unknown may be carried, printed, where that is not the usual. */
  readonly longestCarried?: number;
};

export function object<T extends object>(fields: { readonly [K in keyof T]-?: Reader<T[K]> }, rules: Rules<T> = {}): Reader<T> {
  const readers = Object.entries<Reader<unknown>>(fields);
  const { unknown = "carried", instead = {}, longestCarried } = rules;
  return (value, at) => {
    const record = plainObject(value, at);
    const later = laterOf(record);
    const meant: Record<string, unknown> = {};
    const read = Object.fromEntries(
      readers.map(([key, reader]) => {
        const place = below(at, key);
        if (Object.hasOwn(later, key)) {
          const known = attempt(() => reader(own(later, key), place));
          if (known.kind === "read") return [key, known.value];
          meant[key] = own(later, key);
        }
        const found = own(record, key);
        try {
          return [key, reader(found, place)];
        } catch (thrown) {
          if (!(thrown instanceof UnknownWord) || !Object.hasOwn(instead, key)) throw thrown;
          meant[key] ??= found;
          return [key, own(instead, key)];
        }
      }),
    ) as T;
    if (unknown === "ignored") return read;
    const strangers = Object.entries(record).filter(([key]) => !Object.hasOwn(fields, key) && key !== laterKey);
    const unread = Object.entries(later).filter(([key]) => !Object.hasOwn(fields, key));
    const carried = [...(unknown === "carried" ? Object.entries(meant) : []), ...unread];
    if (strangers.length === 0 && carried.length === 0) return read;
    return carrying(read, { later: Object.fromEntries(carried), strangers: Object.fromEntries(strangers) }, longestCarried);
  };
}

/** For a record of a kind that nothing here resembles: all that it holds is what is meant by the one that stands for it. */
export function standIn<T extends object>(instead: T): Reader<T> {
  return (value, at) => {
    const record = plainObject(value, at);
    const keys = Object.entries(record).filter(([key]) => key !== laterKey);
    return carrying(instead, { later: { ...Object.fromEntries(keys), ...laterOf(record) }, strangers: {} });
  };
}

/**
 * One of several shapes, told apart by `kind`. One of a later release is read as the first of `instead` that it can be read as;
 * without such it makes the whole unreadable.
 */
export function oneOfKind<T extends { readonly kind: string }>(
  readers: { readonly [K in T["kind"]]: Reader<Extract<T, { readonly kind: K }>> },
  instead: readonly Reader<T>[] = [],
): Reader<T> {
  const known = readers as Readonly<Record<string, Reader<T>>>;
  const readerOf = (kind: unknown): Reader<T> | undefined =>
    typeof kind === "string" && Object.hasOwn(known, kind) ? known[kind] : undefined;
  return (value, at) => {
    const record = plainObject(value, at);
    const [found, meant] = [record, laterOf(record)].map((place) => readerOf(own(place, "kind")));
    const later = meant === undefined ? undefined : attempt(() => meant(record, at));
    if (later?.kind === "read") return later.value;
    if (found !== undefined) return found(record, at);
    for (const other of isWord(own(record, "kind")) ? instead : []) {
      const read = attempt(() => other(record, at));
      if (read.kind === "read") return read.value;
    }
    return malformed(below(at, "kind"), `one of ${Object.keys(known).join(", ")}`);
  };
}

type Attempt<T> = { readonly kind: "read"; readonly value: T } | { readonly kind: "refused"; readonly thrown: Malformed };

function attempt<T>(read: () => T): Attempt<T> {
  try {
    return { kind: "read", value: read() };
  } catch (thrown) {
    if (thrown instanceof Malformed) return { kind: "refused", thrown };
    throw thrown;
  }
}

export function literal<T extends string | number>(expected: T): Reader<T> {
  return (value, at) => {
    if (value === expected) return expected;
    if (typeof expected === "string" && isWord(value)) throw new UnknownWord(`${at} is not ${expected}`);
    return malformed(at, String(expected));
  };
}

/** No word of ours is half as long: what is longer is no word of a later release either. */
const longestUnknownWord = 64;

/** The keys of a record that the compiler holds to be complete. */
export function oneOf<T extends string>(words: Readonly<Record<T, unknown>>): Reader<T> {
  return (value, at) => {
    if (!isWord(value)) return malformed(at, "a word known here");
    if (Object.hasOwn(words, value)) return value as T;
    throw new UnknownWord(`${at} is not a word known here`);
  };
}

function isWord(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= longestUnknownWord;
}

export function listOf<T>(reader: Reader<T>, most: number): Reader<readonly T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) return malformed(at, "a list");
    if (value.length > most) return malformed(at, `a list of at most ${most}`);
    return value.map((item, index) => reader(item, `${at}[${index}]`));
  };
}

/** A key that is left out where there is nothing to say. */
export function orUndefined<T>(reader: Reader<T>): Reader<T | undefined> {
  return (value, at) => (value === undefined ? undefined : reader(value, at));
}

/** A key that an older version did not write. */
export function orElse<T>(reader: Reader<T>, missing: T): Reader<T> {
  return (value, at) => (value === undefined ? missing : reader(value, at));
}

export function text(longest: number): Reader<string> {
  return (value, at) =>
    typeof value === "string" && value.length <= longest ? value : malformed(at, `a text of at most ${longest} characters`);
}

/** A text that a parser of another room accepts. */
export function parsed<T extends string>(parse: (found: string) => T | undefined, expected: string): Reader<T> {
  return (value, at) => (typeof value === "string" ? parse(value) : undefined) ?? malformed(at, expected);
}

export const version: Reader<Version> = parsed(parseVersion, "a semantic version");
export const channelsDigest: Reader<ChannelsDigest> = parsed(parseChannelsDigest, "a digest of channels");
export const decisionNumber: Reader<DecisionNumber> = parsed(parseDecisionNumber, "a decision number");
export const packageVersion: Reader<PackageVersion> = parsed(parsePackageVersion, "a package version");

export const passId: Reader<string> = parsed((found) => (/^[A-Za-z0-9-]{1,64}$/.test(found) ? found : undefined), "a pass id");

export const finite: Reader<number> = (value, at) =>
  typeof value === "number" && Number.isFinite(value) ? value : malformed(at, "a number");

export const count: Reader<number> = (value, at) =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : malformed(at, "a count");

export const truth: Reader<boolean> = (value, at) => (typeof value === "boolean" ? value : malformed(at, "true or false"));

function plainObject(value: unknown, at: string): object {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : malformed(at, "an object");
}

/** Never a key that the prototype brings. */
function own(record: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(record, key)?.value;
}

function below(at: string, key: string): string {
  return at === "" ? key : `${at}.${key}`;
}
