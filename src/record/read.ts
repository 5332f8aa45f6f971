import { parseDecisionNumber, type DecisionNumber } from "../channel/decision-number.ts";
import { parseChannelsDigest, type ChannelsDigest } from "../channel/digest.ts";
import { quote } from "../fault/quote.ts";
import { parseVersion, type Version } from "../version/version.ts";
import { parsePackageVersion, type PackageVersion } from "../version/wrapped.ts";

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

/** `tolerant`: a newer minor version may have added keys. */
export type UnknownKeys = "tolerant" | "refused";

export function object<T extends object>(
  fields: { readonly [K in keyof T]-?: Reader<T[K]> },
  unknownKeys: UnknownKeys = "tolerant",
): Reader<T> {
  const readers = Object.entries<Reader<unknown>>(fields);
  return (value, at) => {
    const record = plainObject(value, at);
    if (unknownKeys === "refused") {
      const stranger = Object.keys(record).find((key) => !Object.hasOwn(fields, key));
      if (stranger !== undefined) malformed(at, `without unknown keys, but holds "${quote(stranger)}"`);
    }
    return Object.fromEntries(readers.map(([key, reader]) => [key, reader(own(record, key), below(at, key))])) as T;
  };
}

/** One of several shapes, told apart by `kind`. */
export function oneOfKind<T extends { readonly kind: string }>(readers: {
  readonly [K in T["kind"]]: Reader<Extract<T, { readonly kind: K }>>;
}): Reader<T> {
  return (value, at) => {
    const kind = own(plainObject(value, at), "kind");
    if (typeof kind !== "string" || !Object.hasOwn(readers, kind)) {
      return malformed(below(at, "kind"), `one of ${Object.keys(readers).join(", ")}`);
    }
    return (readers as Readonly<Record<string, Reader<T>>>)[kind]?.(value, at) as T;
  };
}

export function literal<T extends string | number>(expected: T): Reader<T> {
  return (value, at) => (value === expected ? expected : malformed(at, String(expected)));
}

/** The keys of a record that the compiler holds to be complete. */
export function oneOf<T extends string>(words: Readonly<Record<T, unknown>>): Reader<T> {
  return (value, at) =>
    typeof value === "string" && Object.hasOwn(words, value) ? (value as T) : malformed(at, "a word known here");
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
