import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { mostRows, type Commit, type EventQuery, type ItemKey, type JsonObject } from "./port.ts";

/** A limit in bytes of UTF-8. No name that people or programs give is nearly as long. */
export const longestKeyBytes = 1024;
/** A limit in bytes of JSON. A call may bring far less. */
export const longestBodyBytes: number = 4 * 1024 * 1024;

/** Refuses a key that some database could not keep, so that all adapters accept the same keys. */
export function checkKey({ kind, name }: ItemKey): void {
  for (const [what, text] of Object.entries({ kind, name })) {
    const why = whyNoKey(text);
    if (why === undefined) continue;
    throw new Fault("request-refused", {
      message: `nothing is kept under the ${what} ${quote(text, 80)}: ${why}`,
      hint: "choose a name of letters, digits and dashes",
    });
  }
}

function whyNoKey(text: string): string | undefined {
  if (text === "") return "it is empty";
  if (text.includes("\0")) return "it has a zero byte in it";
  // Refuses half a character: it has no form in UTF-8, and names are ordered by their bytes.
  if (!text.isWellFormed()) return "it has half a character in it";
  if (Buffer.byteLength(text) > longestKeyBytes) return `it is longer than ${longestKeyBytes} bytes`;
  return undefined;
}

/** The body as it is stored. Characters without a form in UTF-8 are escaped in JSON. */
export function bodyText(body: JsonObject): string {
  const text = JSON.stringify(body);
  if (Buffer.byteLength(text) <= longestBodyBytes) return text;
  throw new Fault("request-refused", {
    message: `an item of more than ${longestBodyBytes} bytes is not kept`,
    hint: "make it shorter, or several of it",
  });
}

export function checkMost(most: number): void {
  if (!Number.isInteger(most) || most < 1 || most > mostRows)
    throw new RangeError(`${most} rows at once: 1 to ${mostRows} are read`);
}

export function checkCommit({ at, changes, audit }: Commit): void {
  checkTime(at);
  if (changes.length > mostRows || audit.length > mostRows) {
    throw new RangeError(`a commit of ${changes.length} changes and ${audit.length} entries: at most ${mostRows} are taken`);
  }
  for (const change of changes) checkKey(change.item);
}

export function checkQuery({ most, since, until, before }: EventQuery): void {
  checkMost(most);
  for (const number of [since, until, before]) if (number !== undefined) checkTime(number);
}

function checkTime(at: number): void {
  if (!Number.isSafeInteger(at)) throw new RangeError(`${at} is no whole second`);
}
