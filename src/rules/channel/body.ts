import { parseVersion } from "../version/version.ts";

/**
 * What a body that is no answer is, for a message: its kind and its length. What stands in it may be a stranger's secret, as a
 * log-in page's is, and messages are kept where everyone may read them; only a version at its beginning is told.
 */
export function describeBody(body: Uint8Array): string {
  if (isCompressed(body)) return `${count(body, "byte")} of compressed data`;
  const text = decode(body)?.trim();
  if (text === undefined) return `${count(body, "byte")} that are not UTF-8`;
  if (text === "") return "an empty body";
  if (/^<(?:!doctype|html|head|body|\?xml)\b/i.test(text)) return `a web page of ${count(body, "byte")}`;
  if (/^[[{]/.test(text)) return `JSON of ${count(body, "byte")}`;
  const [first = ""] = text.split(/\s/, 1);
  return `a text of ${count(body, "byte")}${isLikeVersion(first) ? ` that begins with ${first}` : ""}`;
}

/** Of versions, longer ones are no use in a sentence. */
const longestVersion = 40;

/** A version, or what somebody took for one: figures alone are nobody's secret. */
function isLikeVersion(word: string): boolean {
  return word.length <= longestVersion && (/^v*\d{1,9}(?:\.\d{1,9}){1,3}$/.test(word) || parseVersion(word) !== undefined);
}

/** gzip begins so; a server that was not asked for it compresses all the same. */
function isCompressed([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

function decode(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

function count({ length }: Uint8Array, what: string): string {
  return `${length} ${what}${length === 1 ? "" : "s"}`;
}
