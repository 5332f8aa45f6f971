import { line, parseLine } from "../../rules/settings/read-text.ts";
import { accepted, refusedAs } from "../../rules/shape/reading.ts";
import {
  allowing,
  byDefault,
  listOf,
  maybe,
  own,
  parsed,
  record,
  refined,
  text,
  truth,
  whole,
  type Shape,
} from "../../rules/shape/shape.ts";
import { parseResourceName, type ResourceName } from "./name.ts";
import { roleNames } from "./user.ts";

const mostRows = 1000;
const mostScopes = 64;

const team = record({ organization: line, team: line, roles: roleNames });
const attribute = record({ name: line, value: line, roles: roleNames });

/** Some files use the key `claim` for a claim's name. */
const claim = refined(record({ name: maybe(line), claim: maybe(line), value: line, roles: roleNames }), (row) =>
  (row.name === undefined) === (row.claim === undefined)
    ? refusedAs([
        { at: ".name", found: row.name === undefined ? "nothing" : "both name and claim", allowed: "the name of one claim" },
      ])
    : accepted(row),
);

const kept = { others: { kind: "kept" } } as const;
/** The paths at which the proxy serves callbacks. */
export const oidcCallback = "/v1/webapi/oidc/callback";
export const githubCallback = "/v1/webapi/github/callback";
/** The connector's name may follow, as in files from elsewhere. */
export const samlCallback = "/v1/webapi/saml/acs";
const samlCallbacks = /^\/v1\/webapi\/saml\/(?:acs(?:\/[A-Za-z0-9][A-Za-z0-9._@+-]{0,127})?|callback)$/;

export function isSamlCallback(path: string): boolean {
  return samlCallbacks.test(path);
}

const https = parsed((found) => {
  const { protocol, username, search, hash } = URL.parse(found) ?? {};
  return protocol === "https:" && username === "" && search === "" && hash === "" ? parseLine(found) : undefined;
}, "an address that begins with https://, without a user, a query or a fragment");
const secret = own(
  (raw) =>
    typeof raw === "string" && parseLine(raw) !== undefined
      ? accepted(raw)
      : refusedAs([{ at: "", found: "something else (not shown)", allowed: "one line of text" }]),
  "one line of text",
);

const privateKey = own(
  (raw) =>
    typeof raw === "string" && raw.length <= 16 * 1024
      ? accepted(raw)
      : refusedAs([{ at: "", found: "something else (not shown)", allowed: "a private key in PEM" }]),
  "a private key in PEM",
);

function redirectTo(callback: string, isCallback = (path: string): boolean => path === callback): Shape<string> {
  return parsed((found) => {
    const url = URL.parse(found);
    return url?.protocol === "https:" && isCallback(url.pathname) && url.search === "" && url.hash === ""
      ? parseLine(found)
      : undefined;
  }, `the proxy's public address with ${callback}, for example https://proxy.example.com${callback}`);
}

/** URLs of identity providers may have a query. */
const httpsWithQuery = parsed((found) => {
  const { protocol, username, hash } = URL.parse(found) ?? {};
  return protocol === "https:" && username === "" && hash === "" ? parseLine(found) : undefined;
}, "an address that begins with https://, without a user or a fragment");

/** Enough for certificates and metadata, but not for a federation's list of all its members. */
const longestDocument = 256 * 1024;
const documentText = (allowed: string): Shape<string> => allowing(allowed, text(longestDocument));
const pem = documentText("a certificate in PEM, or several one after the other");

export const githubSpec = record(
  {
    client_id: line,
    client_secret: maybe(secret),
    redirect_url: redirectTo(githubCallback),
    display: maybe(line),
    endpoint_url: maybe(https),
    api_endpoint_url: maybe(https),
    teams_to_roles: listOf(team, mostRows),
  },
  kept,
);

export const oidcSpec = record(
  {
    issuer_url: https,
    client_id: line,
    client_secret: maybe(secret),
    redirect_url: redirectTo(oidcCallback),
    display: maybe(line),
    scope: byDefault(listOf(line, mostScopes), []),
    prompt: maybe(line),
    max_age: maybe(whole(0, 365 * 86_400, "seconds since the last sign-in at the provider, at most a year")),
    username_claim: maybe(line),
    allow_unverified_email: byDefault(truth, false),
    claims_to_roles: listOf(claim, mostRows),
  },
  kept,
);

export const samlKeys = record(
  {
    acs: redirectTo(samlCallback, isSamlCallback),
    issuer: maybe(line),
    sso: maybe(httpsWithQuery),
    cert: maybe(pem),
    entity_descriptor: maybe(documentText("the identity provider's metadata, in XML")),
    entity_descriptor_url: maybe(httpsWithQuery),
    audience: maybe(line),
    service_provider_issuer: maybe(line),
    display: maybe(line),
    signing_key_pair: maybe(record({ cert: maybe(pem), private_key: maybe(privateKey) }, kept)),
    attributes_to_roles: listOf(attribute, mostRows),
  },
  kept,
);

/** Either three keys say who the identity provider is, or its metadata does. */
export const samlSpec = refined(samlKeys, (spec) => {
  const { issuer, sso, cert, entity_descriptor: xml, entity_descriptor_url: url } = spec;
  const isWhole = issuer !== undefined && sso !== undefined && cert !== undefined;
  return isWhole || xml !== undefined || url !== undefined
    ? accepted(spec)
    : refusedAs([
        {
          at: ".entity_descriptor_url",
          found: "nothing",
          allowed: "the address of the identity provider's metadata; or entity_descriptor; or issuer, sso and cert",
        },
      ]);
});

export const connectorKinds: readonly string[] = ["github", "saml", "oidc"];

export type ConnectorName = { readonly kind: string | undefined; readonly name: ResourceName };

/** Parses NAME or KIND/NAME, as people type it. */
export function parseConnectorName(typed: string): ConnectorName | undefined {
  const slash = typed.indexOf("/");
  const kind = slash < 0 ? undefined : typed.slice(0, slash);
  const name = parseResourceName(typed.slice(slash + 1));
  return name === undefined || (kind !== undefined && !connectorKinds.includes(kind)) ? undefined : { kind, name };
}

export const connectorRule = `the name of a connector, or KIND/NAME: ${connectorKinds.join(", ")}`;

/** The keys that map people to roles. They are read completely, and are never secret. */
export const mappedKeys: readonly string[] = ["teams_to_roles", "attributes_to_roles", "claims_to_roles"];
