import { kinds, type Of } from "../shape/shape.ts";
import { parseVersion, version } from "../version/version.ts";
import { describeBody } from "./body.ts";

/** A channel's answer: a version, or nothing at present. */
export const served = kinds({ version: { version }, none: {} });
export type Served = Of<typeof served>;

export type RefusedBody = { readonly kind: "refused"; readonly found: string };

/** Parses the body of `…/version`: one version with an optional leading v, or `none`. White space around it is ignored. */
export function parseServed(body: Uint8Array): Served | RefusedBody {
  const word = decode(body)?.trim();
  if (word === "none") return { kind: "none" };
  const named = word === undefined ? undefined : parseVersion(word);
  return named === undefined ? { kind: "refused", found: describeBody(body) } : { kind: "version", version: named };
}

export type Critical = { readonly kind: "critical" } | { readonly kind: "not-critical" };

/** Parses the body of `…/critical`: yes or true, no or false. */
export function parseCritical(body: Uint8Array): Critical | RefusedBody {
  const word = decode(body)?.trim();
  if (word === "yes" || word === "true") return { kind: "critical" };
  if (word === "no" || word === "false") return { kind: "not-critical" };
  return { kind: "refused", found: describeBody(body) };
}

function decode(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    // The decoder throws for one reason only, which the caller reports.
    return undefined;
  }
}
