import { utf8In } from "./utf8.ts";
import { kinds, type Of } from "../shape/shape.ts";
import { parseVersion, version } from "../version/version.ts";
import { describeBody } from "./body.ts";

/** A channel's answer: a version, or nothing at present. */
export const served = kinds({ version: { version }, none: {} });
export type Served = Of<typeof served>;

export type RefusedBody = { readonly kind: "refused"; readonly found: string };

/** Parses the body of `…/version`: one version with an optional leading v, or `none`. White space around it is ignored. */
export function parseServed(body: Uint8Array): Served | RefusedBody {
  const word = utf8In(body)?.trim();
  if (word === "none") return { kind: "none" };
  const named = word === undefined ? undefined : parseVersion(word);
  return named === undefined ? { kind: "refused", found: describeBody(body) } : { kind: "version", version: named };
}

export type Critical = { readonly kind: "critical" } | { readonly kind: "not-critical" };

/** Parses the body of `…/critical`: yes or true, no or false. */
export function parseCritical(body: Uint8Array): Critical | RefusedBody {
  const word = utf8In(body)?.trim();
  if (word === "yes" || word === "true") return { kind: "critical" };
  if (word === "no" || word === "false") return { kind: "not-critical" };
  return { kind: "refused", found: describeBody(body) };
}
