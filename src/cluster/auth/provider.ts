import { createHash, randomBytes } from "node:crypto";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import type { Mapping } from "../../rules/shape/reading.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { MappedRow, NamedAs } from "../resource/map-claims.ts";
import type { Ways } from "./provider-fetch.ts";

/** How a kind of connector signs people in. Each kind has one. */
export type Provider<Spec> = {
  /** Whether this path is where the provider sends the browser back. */
  readonly isCallback: (path: string) => boolean;
  /** The parameter that the provider returns unchanged. */
  readonly state: "state" | "RelayState";
  /** Returns the URL for the browser, and what auth must remember of the visit. */
  readonly begin: (spec: Spec, ports: BeginPorts) => Promise<{ readonly url: string; readonly visit: Visit }>;
  /** Asks the provider who has come back. */
  readonly end: (spec: Spec, ports: ProviderPorts, returned: Returned) => Promise<Claimed>;
};

export type ProviderPorts = { readonly ways: Ways; readonly log: Log };
/** `id` is the sign-in's. The provider returns it in the state. */
export type BeginPorts = ProviderPorts & { readonly id: string };

/** `query` has a form's fields if the browser comes back by a form. */
export type Returned = { readonly query: string; readonly visit: Visit };

/** The secrets of one visit to the provider. Only auth knows them. */
export type Visit = { readonly state: string; readonly nonce: string; readonly verifier: string };

/** Who has come, as the provider says, and which rows of the connector fit. */
export type Claimed = {
  readonly issuer: string;
  readonly subject: string;
  readonly name: NamedAs;
  /** Everything that the provider told of the person. */
  readonly claims: Mapping;
  readonly rows: readonly MappedRow[];
  /** What to tell a person whom no row fits. */
  readonly missing: { readonly why: string; readonly hint: string };
};

export function newVisit({ id }: Pick<BeginPorts, "id">): Visit {
  const secret = (): string => randomBytes(32).toString("base64url");
  return { state: `${id}.${secret()}`, nonce: secret(), verifier: secret() };
}

/** PKCE's S256. */
export function challengeOf({ verifier }: Visit): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

/** The fault that a callback's address names. Repeats the error only if it is a word of the standard, because anybody can write there. */
export function refusalInAddress(error: unknown, cause?: unknown): Fault {
  if (error === "access_denied") return refusalOf(error, undefined, cause);
  const word = typeof error === "string" && /^[a-z_]{1,40}$/.test(error) ? ` ${error}` : "";
  return providerFailed(`the provider answers with an error${word}`, cause);
}

/** A fault in the provider's own words, in OAuth's form. */
export function refusalOf(error: string, description: unknown, cause?: unknown): Fault {
  if (error === "access_denied") {
    return new Fault("sign-in-refused", {
      message: "the sign-in was cancelled, or the provider does not let this person in",
      hint: "begin again: `tsh login`",
      cause,
    });
  }
  const more = typeof description === "string" ? `: ${quote(description, 200)}` : "";
  return providerFailed(`the provider answers ${quote(error)}${more}`, cause);
}

export function providerFailed(message: string, cause?: unknown): Fault {
  const why = cause instanceof Error ? `: ${quote(deepest(cause).message, 200)}` : "";
  return new Fault("provider-failed", {
    message: `${message}${message.includes(" answers ") ? "" : why}`,
    hint: "try again; if it stays, the cluster's administrator checks the connector: `tctl get oidc,github,saml`",
    cause,
  });
}

function deepest(error: Error): Error {
  return error.cause instanceof Error ? deepest(error.cause) : error;
}
