import type * as OpenIdClient from "openid-client";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import type { Mapping } from "../../rules/shape/reading.ts";
import type { OidcSpec } from "../resource/map-claims.ts";
import { fetchOver, type Ways } from "./provider-fetch.ts";

/** The secrets of one visit to the provider. */
export type Visit = { readonly state: string; readonly nonce: string; readonly verifier: string };

export type Claimed = { readonly issuer: string; readonly subject: string; readonly claims: Mapping };

/** Loaded only if somebody signs in by OIDC. */
function library(): Promise<typeof OpenIdClient> {
  return import("openid-client");
}

async function discover(spec: OidcSpec, ways: Ways): Promise<OpenIdClient.Configuration> {
  const { customFetch, discovery, None } = await library();
  const { issuer_url: issuer, client_id: client, client_secret: secret } = spec;
  try {
    return await discovery(new URL(issuer), client, undefined, secret === undefined ? None() : await bySecret(secret), {
      [customFetch]: fetchOver(ways),
    });
  } catch (thrown) {
    throw providerFailed(`${quote(issuer, 200)} does not answer as an OIDC provider`, thrown);
  }
}

/** By HTTP Basic, as the standard has it, unless the provider takes only the form. */
async function bySecret(secret: string): Promise<OpenIdClient.ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost } = await library();
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: taken = ["client_secret_basic"] } = server;
    const isFormOnly = !taken.includes("client_secret_basic") && taken.includes("client_secret_post");
    return (isFormOnly ? post : basic)(server, ...rest);
  };
}

/** Where the browser goes, with what only auth knows of it. */
export async function beginVisit(spec: OidcSpec, ways: Ways): Promise<{ readonly url: string; readonly visit: Visit }> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } = await library();
  const configuration = await discover(spec, ways);
  const visit = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
  const { prompt, max_age: maxAge, redirect_url: redirect } = spec;
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: redirect,
    scope: [...new Set(["openid", "email", ...spec.scope])].join(" "),
    state: visit.state,
    nonce: visit.nonce,
    code_challenge: await calculatePKCECodeChallenge(visit.verifier),
    code_challenge_method: "S256",
    ...(prompt === undefined ? {} : { prompt }),
    ...(maxAge === undefined ? {} : { max_age: String(maxAge) }),
  });
  return { url: url.href, visit };
}

/** Exchanges the code that the browser brings back for claims: those of the ID token, and those of the provider's userinfo. */
export async function endVisit(
  spec: OidcSpec,
  ways: Ways,
  { query, visit }: { readonly query: string; readonly visit: Visit },
): Promise<Claimed> {
  const { authorizationCodeGrant, fetchUserInfo } = await library();
  const configuration = await discover(spec, ways);
  const { redirect_url: redirect, max_age: maxAge } = spec;
  try {
    const tokens = await authorizationCodeGrant(configuration, new URL(`${redirect}?${query}`), {
      pkceCodeVerifier: visit.verifier,
      expectedState: visit.state,
      expectedNonce: visit.nonce,
      idTokenExpected: true,
      ...(maxAge === undefined ? {} : { maxAge }),
    });
    const token = tokens.claims();
    if (token === undefined) throw new Error("there is no ID token");
    const isTold = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const more = isTold ? await fetchUserInfo(configuration, tokens.access_token, token.sub) : {};
    return { issuer: token.iss, subject: token.sub, claims: { ...more, ...token } };
  } catch (thrown) {
    throw refusalOf(thrown);
  }
}

/** The provider's own words, or those of the library that checks its answers. */
function refusalOf(thrown: unknown): Fault {
  const { error, error_description: description } = thrown as { readonly error?: unknown; readonly error_description?: unknown };
  if (error === "access_denied") {
    return new Fault("sign-in-refused", {
      message: "the sign-in was cancelled, or the provider does not let this person in",
      hint: "begin again: `tsh login`",
      cause: thrown,
    });
  }
  if (typeof error === "string") {
    const more = typeof description === "string" ? `: ${quote(description, 200)}` : "";
    return providerFailed(`the provider answers ${quote(error)}${more}`, thrown);
  }
  return providerFailed("the provider's answer is not taken", thrown);
}

function providerFailed(message: string, thrown: unknown): Fault {
  const why = thrown instanceof Error ? `: ${quote(deepest(thrown).message, 200)}` : "";
  return new Fault("provider-failed", {
    message: `${message}${message.includes(" answers ") ? "" : why}`,
    hint: "try again; if it stays, the cluster's administrator checks the connector: `tctl get oidc`",
    cause: thrown,
  });
}

function deepest(error: Error): Error {
  return error.cause instanceof Error ? deepest(error.cause) : error;
}
