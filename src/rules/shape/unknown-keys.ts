import { quote } from "../text/quote.ts";

/** Keys of a file's record with their values as they stand in it. */
export type UnknownKeys = Readonly<Record<string, unknown>>;

/**
 * What a record of a file holds that this release does not know. It goes with the record, seen by nobody who does not ask for
 * it, so that what a later release wrote is there again when that release comes back. A copy by `...` takes it along; a record
 * that is made again begins without.
 */
const beyond: unique symbol = Symbol("what a later release wrote");

type Carrying = { readonly [beyond]?: UnknownKeys };

/**
 * The key under which a record keeps what a later release wrote in keys that are known here: in their own place stands what this
 * release takes it for. A release that can read what stands here goes by it.
 */
export const laterKey = "later";

/** What one record may carry, printed: some keys of some words. A state holds a few hundred records. */
const longestCarried = 1024;
/** Deeper than any record of ours; what is built to be deep is not carried. */
const deepestCarried = 8;

export function beyondOf(record: object): UnknownKeys {
  return (record as Carrying)[beyond] ?? {};
}

/** The record, and with it as much of what is unknown as may be carried: first what is meant by its keys, then other keys. */
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

/** A record's word as whoever wrote it meant it, printable; what this release takes it for stands in the record itself. */
export function asWritten<K extends string>(record: { readonly [key in K]: string }, key: K): string {
  const word = laterOf(beyondOf(record))[key];
  return typeof word === "string" && word !== "" ? quote(word) : record[key];
}

/** Whether this release knows what the record's word means. */
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
