import { quote } from "../text/quote.ts";

/** A record's unknown keys and their values, as in the file. */
export type UnknownKeys = Readonly<Record<string, unknown>>;

/**
 * The unknown keys of a file's record, hidden from code that does not ask for them, so that a later release finds its values again when it comes
 * back. A copy by `...` keeps them; a newly made record has none.
 */
const beyond: unique symbol = Symbol("what a later release wrote");

type Carrying = { readonly [beyond]?: UnknownKeys };

/**
 * The key under which a record keeps a later release's values of known keys, which hold this release's reading of them. A release that can read
 * these uses them.
 */
export const laterKey = "later";

/** How much one record may carry, printed: some keys of some words. A state holds a few hundred records. */
const longestCarried = 1024;
/** Deeper than any record of ours; deeper values are dropped. */
const deepestCarried = 8;

export function beyondOf(record: object): UnknownKeys {
  return (record as Carrying)[beyond] ?? {};
}

/** The record with as much unknown content as it may carry: first values of known keys, then other keys. */
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

/** A record's word as it was written, printable; the record itself holds this release's reading of it. */
export function asWritten<K extends string>(record: { readonly [key in K]: string }, key: K): string {
  const word = laterOf(beyondOf(record))[key];
  return typeof word === "string" && word !== "" ? quote(word) : record[key];
}

/** Whether this release knows the record's word. */
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
