import { quote } from "../text/quote.ts";
import { allowedFor } from "./allowed.ts";
import type { SettingReading } from "./reading.ts";
import { carrying, laterKey, laterOf, type UnknownKeys } from "./unknown-keys.ts";
import { lengthOfQuoted, printed, type Form, type Keys, type RecordForm, type Shape } from "./shape.ts";

export type Reading<T> = { readonly kind: "read"; readonly value: T } | { readonly kind: "unreadable"; readonly why: string };

/**
 * What happens to unknown keys and words of a later release. "carried": they are kept up to a limit. "kept": all unknown keys are kept. "ignored":
 * they are dropped.
 */
export type Strangers = "carried" | "kept" | "ignored";

/** Reads any text into a value. Never throws. */
export function decode<T>(found: string, shape: Shape<T>, strangers: Strangers): Reading<T> {
  let value: unknown;
  try {
    value = JSON.parse(found);
  } catch {
    // Does not quote the parser's message, which repeats the text.
    return { kind: "unreadable", why: found.trim() === "" ? "it is empty" : "it is not JSON" };
  }
  return decodeValue(value, shape, strangers);
}

/** Reads a parsed value. */
export function decodeValue<T>(value: unknown, shape: Shape<T>, strangers: Strangers): Reading<T> {
  const reading = attempt(() => read(shape, value, { key: "", above: undefined, strangers }));
  return reading.kind === "read" ? (reading as Reading<T>) : { kind: "unreadable", why: reading.thrown.message };
}

/** The path of a value, from the top of the text. */
type Place = { readonly key: string | number; readonly above: Place | undefined; readonly strangers: Strangers };

function below(above: Place, key: string | number): Place {
  return { key, above, strangers: above.strangers };
}

/** Describes the place so that a person can find it in the file. */
function told({ key, above }: Place): string {
  if (above === undefined) return "the whole";
  const outer = above.above === undefined ? "" : told(above);
  if (typeof key === "number") return `${outer}[${key}]`;
  return outer === "" ? key : `${outer}.${key}`;
}

/** Thrown and caught only in this file. */
class Malformed extends Error {}

function malformed(at: Place, expected: string): never {
  throw new Malformed(`${told(at)} is not ${expected}`);
}

/** An unknown word, where a word is wanted. */
class UnknownWord extends Malformed {
  readonly at: Place;
  readonly instead: string | undefined;

  constructor(at: Place, expected: string, instead: string | undefined) {
    super(`${told(at)} is not ${expected}`);
    this.at = at;
    this.instead = instead;
  }
}

function read(shape: Shape<unknown>, value: unknown, at: Place): unknown {
  const { form } = shape;
  switch (form.kind) {
    case "text":
      return readText(form, value, at);
    case "parsed":
      return (typeof value === "string" ? form.parse(value) : undefined) ?? malformed(at, allowedFor(shape));
    case "number":
      return typeof value === "number" && Number.isFinite(value) ? value : malformed(at, "a number");
    case "whole": {
      const isWithin = typeof value === "number" && Number.isSafeInteger(value) && value >= form.least && value <= form.most;
      return isWithin ? value : malformed(at, allowedFor(shape));
    }
    case "truth":
      return typeof value === "boolean" ? value : malformed(at, "true or false");
    case "object":
      return plainObject(value, at);
    case "nothing":
      return undefined;
    case "null":
    case "from":
      throw new Error("an answer is shown, and not read");
    case "exactly":
      if (value === form.value) return value;
      if (typeof form.value === "string" && isWord(value)) throw new UnknownWord(at, form.value, form.later);
      return malformed(at, String(form.value));
    case "words":
      if (!isWord(value)) return malformed(at, "a word known here");
      if (form.isOpen === true || Object.hasOwn(form.words, value)) return value;
      throw new UnknownWord(at, "a word known here", form.later);
    case "list":
      if (!Array.isArray(value)) return malformed(at, "a list");
      if (value.length > form.most || value.length < form.least) return malformed(at, `a list of at most ${form.most}`);
      return value.map((item, index) => read(form.of, item, below(at, index)));
    case "record":
      return readRecord(form, value, at);
    case "kinds":
      return readKinds(form, value, at);
    case "maybe":
    case "optional":
      return value === undefined ? undefined : read(form.of, value, at);
    case "else":
      return value === undefined ? form.missing : read(form.of, value, at);
    case "named":
      return readNamed(form, value, at);
    case "own":
      return judged(form.read(value), shape, at);
    case "refined":
      return judged(form.refine(read(form.of, value, at), value), shape, at);
    case "coded": {
      const { sift = (found) => found, read: decoded, expected } = form.codec;
      return decoded(read(form.of, sift(value), at)) ?? malformed(at, expected);
    }
  }
}

function judged(reading: SettingReading<unknown>, shape: Shape<unknown>, at: Place): unknown {
  if (reading.kind === "value") return reading.value;
  const whys = reading.refusals.map((fault) => `${told(at)}${fault.at} is not ${fault.allowed ?? allowedFor(shape)}`);
  throw new Malformed(whys.slice(0, 1).join(""));
}

function readNamed({ of, isName, name: allowed }: Extract<Form, { kind: "named" }>, value: unknown, at: Place): object {
  const values = Object.create(null) as Record<string, unknown>;
  for (const [name, item] of Object.entries(plainObject(value, at))) {
    if (!isName(name)) malformed(below(at, quote(name)), allowed);
    values[name] = read(of, item, below(at, name));
  }
  return values;
}

function readText(form: Extract<Form, { kind: "text" }>, value: unknown, at: Place): string {
  const longest = form.quoted === undefined ? form.longest : lengthOfQuoted(form.longest);
  if (typeof value !== "string" || value.length > longest) return malformed(at, `a text of at most ${longest} characters`);
  return form.quoted === "both" ? printed(value, form) : value;
}

function readRecord({ keys, rules }: RecordForm, value: unknown, at: Place): object {
  const found = plainObject(value, at);
  if (at.strangers === "kept") return readKept(keys, found as Readonly<Record<string, unknown>>, at);
  const { schema, changes, longestCarried } = rules;
  if (schema !== undefined && own(found, "schema") !== schema) malformed(below(at, "schema"), String(schema));
  const later = laterOf(found);
  const meant: Record<string, unknown> = {};
  const known: Record<string, unknown> = {};
  for (const [key, shape] of Object.entries(keys)) {
    const field = readKey(shape, { key, found, later, meant }, at);
    if (field !== undefined || shape.form.kind !== "optional") known[key] = field;
  }
  if (at.strangers === "ignored") return known;
  const isStrange = ([key]: readonly [string, unknown]): boolean => !Object.hasOwn(keys, key);
  const strangers = Object.entries(found).filter(
    (entry) => isStrange(entry) && entry[0] !== laterKey && !(schema !== undefined && entry[0] === "schema"),
  );
  const carried = [...(changes === "by key" ? [] : Object.entries(meant)), ...Object.entries(later).filter(isStrange)];
  if (strangers.length === 0 && carried.length === 0) return known;
  return carrying(known, { later: Object.fromEntries(carried), strangers: Object.fromEntries(strangers) }, longestCarried);
}

/** Written for speed: a list of ten thousand hosts reads twice as many of these. */
function readKept(keys: Keys, found: Readonly<Record<string, unknown>>, at: Place): object {
  const known: Record<string, unknown> = {};
  for (const key in keys) {
    const shape = keys[key] as Shape<unknown>;
    const field = read(shape, Object.hasOwn(found, key) ? found[key] : undefined, below(at, key));
    if (field !== undefined || shape.form.kind !== "optional") known[key] = field;
  }
  const strangers = Object.keys(found).filter((key) => !Object.hasOwn(keys, key));
  if (strangers.length === 0) return known;
  return carrying(known, { later: {}, strangers: Object.fromEntries(strangers.map((key) => [key, found[key]])) }, Infinity);
}

type Field = {
  readonly key: string;
  readonly found: object;
  readonly later: UnknownKeys;
  /** Gets the values of known keys that this release cannot read. */
  readonly meant: Record<string, unknown>;
};

function readKey(shape: Shape<unknown>, { key, found, later, meant }: Field, above: Place): unknown {
  const at = below(above, key);
  if (Object.hasOwn(later, key)) {
    const reading = attempt(() => read(shape, own(later, key), at));
    if (reading.kind === "read") return reading.value;
    meant[key] = own(later, key);
  }
  const value = own(found, key);
  try {
    return read(shape, value, at);
  } catch (thrown) {
    if (!(thrown instanceof UnknownWord) || thrown.at !== at || thrown.instead === undefined) throw thrown;
    meant[key] ??= value;
    return thrown.instead;
  }
}

function readKinds({ of, later }: Extract<Form, { kind: "kinds" }>, value: unknown, at: Place): unknown {
  const found = plainObject(value, at);
  const shapeOf = (kind: unknown): Shape<object> | undefined =>
    typeof kind === "string" && Object.hasOwn(of, kind) ? of[kind] : undefined;
  const meant = shapeOf(own(laterOf(found), "kind"));
  const reading = meant && attempt(() => read(meant, found, at));
  if (reading?.kind === "read") return reading.value;
  const known = shapeOf(own(found, "kind"));
  if (known !== undefined) return read(known, found, at);
  for (const other of isWord(own(found, "kind")) ? later : []) {
    if ("standIn" in other) return standIn(other.standIn, found, at);
    const like = attempt(() => read(other.as, found, at));
    if (like.kind === "read") return like.value;
  }
  return malformed(below(at, "kind"), `one of ${Object.keys(of).join(", ")}`);
}

/** Reads a record of an unknown kind as a known kind, and keeps its whole content with it. */
function standIn(instead: object, found: object, { strangers }: Place): object {
  if (strangers === "ignored") return instead;
  const keys = Object.entries(found).filter(([key]) => key !== laterKey);
  return carrying(instead, { later: { ...Object.fromEntries(keys), ...laterOf(found) }, strangers: {} });
}

type Attempt = { readonly kind: "read"; readonly value: unknown } | { readonly kind: "refused"; readonly thrown: Malformed };

function attempt(reading: () => unknown): Attempt {
  try {
    return { kind: "read", value: reading() };
  } catch (thrown) {
    if (thrown instanceof Malformed) return { kind: "refused", thrown };
    throw thrown;
  }
}

/** Long enough for a later release's word: our own longest has less than half of this. */
const longestUnknownWord = 64;

function isWord(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= longestUnknownWord;
}

function plainObject(value: unknown, at: Place): object {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : malformed(at, "an object");
}

/** Returns an own key's value, and never the prototype's. */
function own(found: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(found, key)?.value;
}
