import { quote } from "../fault/quote.ts";
import { parseVersion, type Version } from "../version/version.ts";

/** What a channel serves: a version, or nothing at present. */
export type Served = { readonly kind: "version"; readonly version: Version } | { readonly kind: "none" };

/** Enough to know a compressed body or another encoding by. */
const bytesQuoted = 16;

export type Refused = { readonly kind: "refused"; readonly found: string };

/** The body of `…/version`: one version with an optional leading v, or `none`; white space around it does not count. */
export function parseServed(body: Uint8Array): Served | Refused {
  const word = decode(body)?.trim();
  if (word === "none") return { kind: "none" };
  const version = word === undefined ? undefined : parseVersion(word);
  return version === undefined ? refused(word, body) : { kind: "version", version };
}

export type Critical = { readonly kind: "critical" } | { readonly kind: "not-critical" };

/** The body of `…/critical`: yes or true, no or false. */
export function parseCritical(body: Uint8Array): Critical | Refused {
  const word = decode(body)?.trim();
  if (word === "yes" || word === "true") return { kind: "critical" };
  if (word === "no" || word === "false") return { kind: "not-critical" };
  return refused(word, body);
}

function refused(word: string | undefined, body: Uint8Array): Refused {
  if (word === "") return { kind: "refused", found: "an empty body" };
  return { kind: "refused", found: word === undefined ? `bytes that are not UTF-8 (${firstBytes(body)})` : `"${quote(word)}"` };
}

function firstBytes(body: Uint8Array): string {
  const first = [...body.subarray(0, bytesQuoted)].map((byte) => byte.toString(16).padStart(2, "0"));
  return [...first, ...(body.length > bytesQuoted ? ["…"] : [])].join(" ");
}

function decode(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    // The decoder throws for one reason only, and the caller says it.
    return undefined;
  }
}
