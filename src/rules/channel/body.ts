import { utf8In } from "./utf8.ts";
import { parseVersion } from "../version/version.ts";

/**
 * Describes an invalid body by its kind and length. Everyone may read our messages and the content may hold a secret, as a log-in page does, so only a
 * version at its beginning is shown.
 */
export function describeBody(body: Uint8Array): string {
  if (isCompressed(body)) return `${count(body, "byte")} of compressed data`;
  const text = utf8In(body)?.trim();
  if (text === undefined) return `${count(body, "byte")} that are not UTF-8`;
  if (text === "") return "an empty body";
  if (/^<(?:!doctype|html|head|body|\?xml)\b/i.test(text)) return `a web page of ${count(body, "byte")}`;
  if (/^[[{]/.test(text)) return `JSON of ${count(body, "byte")}`;
  const [first = ""] = text.split(/\s/, 1);
  return `a text of ${count(body, "byte")}${isLikeVersion(first) ? ` that begins with ${first}` : ""}`;
}

/** A longer text would not help the reader of a message. */
const longestVersion = 40;

/** A version, or digits that resemble one. Digits alone are no secret. */
function isLikeVersion(word: string): boolean {
  return word.length <= longestVersion && (/^v*\d{1,9}(?:\.\d{1,9}){1,3}$/.test(word) || parseVersion(word) !== undefined);
}

/** Whether the body begins as gzip does: a server may compress unasked. */
function isCompressed([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

function count({ length }: Uint8Array, what: string): string {
  return `${length} ${what}${length === 1 ? "" : "s"}`;
}
