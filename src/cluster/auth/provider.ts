import { createHash, randomBytes } from "node:crypto";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import type { Mapping } from "../../rules/shape/reading.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { MappedRow, NamedAs } from "../resource/map-claims.ts";
import type { Ways } from "./provider-fetch.ts";

/** How a kind of connector signs people in. Each kind has one. */
export type Provider<Spec> = {
  /** Whether the provider sends the browser back to this path. */
  readonly isCallback: (path: string) => boolean;
  /** The parameter that comes back unchanged. */
  readonly state: "state" | "RelayState";
  /** Where the browser goes, with what only auth knows of it. */
  readonly begin: (spec: Spec, ports: BeginPorts) => Promise<{ readonly url: string; readonly visit: Visit }>;
  /** Asks the provider who came back. */
  readonly end: (spec: Spec, ports: ProviderPorts, returned: Returned) => Promise<Claimed>;
};

export type ProviderPorts = { readonly ways: Ways; readonly log: Log };
/** `id`: of the sign-in, which comes back in the state. */
export type BeginPorts = ProviderPorts & { readonly id: string };

/** `query`: a form's fields, if the browser comes back by one. */
export type Returned = { readonly query: string; readonly visit: Visit };

/** The secrets of one visit to the provider. */
export type Visit = { readonly state: string; readonly nonce: string; readonly verifier: string };

/** Who the provider says that somebody is, and which rows of the connector fit them. */
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

/** Repeats an error in the address of the callback only if it is a word of the standard, because anybody can write there. */
export function refusalInAddress(error: unknown, cause?: unknown): Fault {
  if (error === "access_denied") return refusalOf(error, undefined, cause);
  const word = typeof error === "string" && /^[a-z_]{1,40}$/.test(error) ? ` ${error}` : "";
  return providerFailed(`the provider answers with an error${word}`, cause);
}

/** A provider's own words for an error, in OAuth's form. */
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
