import { Fault } from "../../rules/fault/fault.ts";
import { mostRows } from "../storage/port.ts";

type PageOf<T> = { readonly page: readonly T[]; readonly nextPageToken: string };

/** The first rows of a list, and the token of the page after them, if there are more. */
export async function pageOf<T>(
  found: AsyncIterable<T> | Iterable<T>,
  most: number,
  tokenOf: (last: T) => string,
): Promise<PageOf<T>> {
  const page: T[] = [];
  for await (const row of found) {
    const last = page.at(-1);
    if (last !== undefined && page.length >= most) return { page, nextPageToken: tokenOf(last) };
    page.push(row);
  }
  return { page, nextPageToken: "" };
}

/** Reads a page's size; 0 means the largest. The store reads `mostRows` at once; the last row only shows whether another page follows. */
export function readPageSize(asked: number, most: number = mostRows - 1): number {
  if (asked === 0) return most;
  if (asked > 0) return Math.min(asked, most);
  throw new Fault("request-refused", { message: `a page cannot have ${asked} rows`, hint: `ask for 1 to ${most}` });
}

export function refuseToken(): Fault {
  return new Fault("request-refused", {
    message: "the page token belongs to another list",
    hint: "begin with the first page: leave it empty",
  });
}
