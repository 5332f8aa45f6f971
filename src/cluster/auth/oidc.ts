import type * as OpenIdClient from "openid-client";
import { quote } from "../../rules/text/quote.ts";
import type { Fault } from "../../rules/fault/fault.ts";
import { oidcCallback } from "../resource/connector.ts";
import { nameFrom, rowsFor, tellMissing, type OidcSpec } from "../resource/map-claims.ts";
import {
  challengeOf,
  type BeginPorts,
  newVisit,
  providerFailed,
  refusalInAddress,
  refusalOf,
  type Claimed,
  type Provider,
  type ProviderPorts,
  type Returned,
  type Visit,
} from "./provider.ts";
import { fetchOver, type Ways } from "./provider-fetch.ts";

/** OpenID Connect, by its code flow. */
export const oidc: Provider<OidcSpec> = {
  isCallback: (path) => path === oidcCallback,
  state: "state",
  begin: beginVisit,
  end: endVisit,
};

/** Loaded only if somebody signs in by OIDC. */
function library(): Promise<typeof OpenIdClient> {
  return import("openid-client");
}

async function discover(spec: OidcSpec, ways: Ways): Promise<OpenIdClient.Configuration> {
  const { customFetch, discovery, enableNonRepudiationChecks, None } = await library();
  const { issuer_url: issuer, client_id: client, client_secret: secret } = spec;
  try {
    return await discovery(new URL(issuer), client, undefined, secret === undefined ? None() : await bySecret(secret), {
      [customFetch]: fetchOver(ways),
      // The ID token's signature is checked too, although it comes over TLS.
      execute: [enableNonRepudiationChecks],
    });
  } catch (thrown) {
    throw providerFailed(`${quote(issuer, 200)} does not answer as an OIDC provider`, thrown);
  }
}

/** Sends the secret by HTTP Basic, as the standard says, unless the provider takes only the form. */
async function bySecret(secret: string): Promise<OpenIdClient.ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost } = await library();
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: taken = ["client_secret_basic"] } = server;
    const isFormOnly = !taken.includes("client_secret_basic") && taken.includes("client_secret_post");
    return (isFormOnly ? post : basic)(server, ...rest);
  };
}

type Begun = { readonly url: string; readonly visit: Visit };

async function beginVisit(spec: OidcSpec, { ways, id }: BeginPorts): Promise<Begun> {
  const { buildAuthorizationUrl } = await library();
  const configuration = await discover(spec, ways);
  const visit = newVisit({ id });
  const { prompt, max_age: maxAge, redirect_url: redirect } = spec;
  const parameters = {
    redirect_uri: redirect,
    scope: [...new Set(["openid", "email", ...spec.scope])].join(" "),
    state: visit.state,
    nonce: visit.nonce,
    code_challenge: challengeOf(visit),
    code_challenge_method: "S256",
    ...(prompt === undefined ? {} : { prompt }),
    ...(maxAge === undefined ? {} : { max_age: String(maxAge) }),
  };
  try {
    const { href, protocol } = buildAuthorizationUrl(configuration, parameters);
    if (protocol !== "https:") throw new Error(`its authorization_endpoint begins with ${protocol}`);
    return { url: href, visit };
  } catch (thrown) {
    throw providerFailed(`${quote(spec.issuer_url, 200)} does not answer as an OIDC provider`, thrown);
  }
}

/** Exchanges the code that the browser brings back for claims of the ID token and of the provider's userinfo. */
async function endVisit(spec: OidcSpec, { ways }: ProviderPorts, { query, visit }: Returned): Promise<Claimed> {
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
    const claims = { ...more, ...token };
    const rows = rowsFor(spec, claims);
    return {
      issuer: token.iss,
      subject: token.sub,
      name: nameFrom(claims, spec),
      claims,
      rows,
      missing: {
        why: tellMissing(rows, claims),
        hint: "have the provider's administrator add you to one of these, or the cluster's administrator add a row to claims_to_roles",
      },
    };
  } catch (thrown) {
    throw faultOf(thrown);
  }
}

/** Says it in the provider's own words, or in those of the library that checks its answers. */
function faultOf(thrown: unknown): Fault {
  const { error, error_description: description } = thrown as { readonly error?: unknown; readonly error_description?: unknown };
  if ((thrown as { readonly code?: unknown }).code === "OAUTH_AUTHORIZATION_RESPONSE_ERROR")
    return refusalInAddress(error, thrown);
  return typeof error === "string"
    ? refusalOf(error, description, thrown)
    : providerFailed("the provider's answer is not taken", thrown);
}
