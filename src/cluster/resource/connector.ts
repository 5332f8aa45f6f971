import { line, parseLine } from "../../rules/settings/read-text.ts";
import { accepted, refusedAs } from "../../rules/shape/reading.ts";
import { byDefault, listOf, maybe, own, parsed, record, refined, truth, whole, type Shape } from "../../rules/shape/shape.ts";
import { parseResourceName, type ResourceName } from "./name.ts";
import { roleNames } from "./user.ts";

const mostRows = 1000;
const mostScopes = 64;

const team = record({ organization: line, team: line, roles: roleNames });
const attribute = record({ name: line, value: line, roles: roleNames });

/** Some files call the name of a claim `claim`. */
const claim = refined(record({ name: maybe(line), claim: maybe(line), value: line, roles: roleNames }), (row) =>
  (row.name === undefined) === (row.claim === undefined)
    ? refusedAs([
        { at: ".name", found: row.name === undefined ? "nothing" : "both name and claim", allowed: "the name of one claim" },
      ])
    : accepted(row),
);

const kept = { others: { kind: "kept" } } as const;
// Nobody signs in by SAML yet: its other keys are kept as they are.
export const samlSpec = record({ attributes_to_roles: listOf(attribute, mostRows) }, kept);

/** The proxy answers here. */
export const oidcCallback = "/v1/webapi/oidc/callback";
export const githubCallback = "/v1/webapi/github/callback";

const https = parsed((text) => {
  const { protocol, username, search, hash } = URL.parse(text) ?? {};
  return protocol === "https:" && username === "" && search === "" && hash === "" ? parseLine(text) : undefined;
}, "an address that begins with https://, without a user, a query or a fragment");
const secret = own(
  (raw) =>
    typeof raw === "string" && parseLine(raw) !== undefined
      ? accepted(raw)
      : refusedAs([{ at: "", found: "something else (not shown)", allowed: "one line of text" }]),
  "one line of text",
);

function redirectTo(callback: string): Shape<string> {
  return parsed((text) => {
    const url = URL.parse(text);
    return url?.protocol === "https:" && url.pathname === callback && url.search === "" && url.hash === ""
      ? parseLine(text)
      : undefined;
  }, `the proxy's public address with ${callback}, for example https://proxy.example.com${callback}`);
}

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

export const connectorKinds: readonly string[] = ["github", "saml", "oidc"];

export type ConnectorName = { readonly kind: string | undefined; readonly name: ResourceName };

/** NAME or KIND/NAME, as people type it. */
export function parseConnectorName(text: string): ConnectorName | undefined {
  const slash = text.indexOf("/");
  const kind = slash < 0 ? undefined : text.slice(0, slash);
  const name = parseResourceName(text.slice(slash + 1));
  return name === undefined || (kind !== undefined && !connectorKinds.includes(kind)) ? undefined : { kind, name };
}

export const connectorRule = `the name of a connector, or KIND/NAME: ${connectorKinds.join(", ")}`;

/** The keys that map people to roles: read completely, and never secret. */
export const mappedKeys: readonly string[] = ["teams_to_roles", "attributes_to_roles", "claims_to_roles"];
