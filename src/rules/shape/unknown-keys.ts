import { quote } from "../text/quote.ts";

/** The unknown keys of a record with their values, as in the file. */
export type UnknownKeys = Readonly<Record<string, unknown>>;

/**
 * Under this symbol a record keeps unknown keys, hidden from code that does not ask for them, so that a later release finds its values again. A copy
 * by `...` keeps them; a newly made record has none.
 */
const beyond: unique symbol = Symbol("what a later release wrote");

type Carrying = { readonly [beyond]?: UnknownKeys };

/**
 * The key under which a record keeps a later release's values of known keys. The known keys have this release's reading of them; a release that can
 * read the values uses them.
 */
export const laterKey = "later";

/** How much one record may carry, printed: a few keys with a few words. A state has some hundred records. */
const longestCarried = 1024;
/** Deeper than any record of ours. Deeper values are dropped. */
const deepestCarried = 8;

export function beyondOf(record: object): UnknownKeys {
  return (record as Carrying)[beyond] ?? {};
}

/** The record with as much unknown content as it may carry: values of known keys first, then unknown keys. */
export function carrying<T extends object>(
  record: T,
  { later, strangers }: { readonly later: UnknownKeys; readonly strangers: UnknownKeys },
  longest: number = longestCarried,
): T {
  let room = longest;
  const fitting = (unknown: UnknownKeys): UnknownKeys =>
    Object.fromEntries(
      Object.entries(unknown).filter(([key, value]) => {
        const length = isShallow(value, deepestCarried) ? key.length + JSON.stringify(value).length : Infinity;
        if (length > room) return false;
        room -= length;
        return true;
      }),
    );
  const meant = fitting(later);
  const carried = { ...(Object.keys(meant).length === 0 ? {} : { [laterKey]: meant }), ...fitting(strangers) };
  return Object.keys(carried).length === 0 ? record : { ...record, [beyond]: carried };
}

/** A record's word as it was written, made printable. The record itself has this release's reading of it. */
export function asWritten<K extends string>(record: { readonly [key in K]: string }, key: K): string {
  const word = laterOf(beyondOf(record))[key];
  return typeof word === "string" && word !== "" ? quote(word) : record[key];
}

/** Whether this release knows the word in the record. */
export function isKnown<K extends string>(record: { readonly [key in K]: string }, key: K): boolean {
  return !Object.hasOwn(laterOf(beyondOf(record)), key);
}

export function laterOf(record: object): UnknownKeys {
  const later = Object.getOwnPropertyDescriptor(record, laterKey)?.value;
  return isRecord(later) ? later : {};
}

function isRecord(value: unknown): value is UnknownKeys {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((below) => isShallow(below, depth - 1));
}
