import { describe, expect, test } from "vitest";
import { nameFrom, rolesFor, rowsFor, rowsForAttributes, tellMissing } from "../../../src/cluster/resource/map-claims.ts";
import { addressesOf, rowsForTeams, tellMissingTeams } from "../../../src/cluster/resource/map-teams.ts";
import { parseConnectorName } from "../../../src/cluster/resource/connector.ts";
import type { ResourceName } from "../../../src/cluster/resource/name.ts";
import { readResource } from "../../../src/cluster/resource/resource.ts";

const spec = {
  issuer_url: "https://idp.example.com",
  client_id: "cluster",
  redirect_url: "https://proxy.example.com/v1/webapi/oidc/callback",
  claims_to_roles: [{ name: "groups", value: "ops", roles: ["editor"] }],
};

function faultsOf(changes: object): readonly string[] {
  const reading = readResource({ kind: "oidc", version: "v3", metadata: { name: "idp" }, spec: { ...spec, ...changes } });
  return reading.kind === "value" ? [] : reading.refusals.map(({ at, found, allowed }) => `${at}: ${found} (${allowed})`);
}

describe("the file of an oidc connector", () => {
  test("is taken without a secret", () => expect(faultsOf({})).toEqual([]));

  test.each([
    [
      "a plain issuer",
      { issuer_url: "http://idp.example.com" },
      '.spec.issuer_url: "http://idp.example.com" (an address that begins with https://, without a user, a query or a fragment)',
    ],
    [
      "an issuer that is no address",
      { issuer_url: "idp" },
      '.spec.issuer_url: "idp" (an address that begins with https://, without a user, a query or a fragment)',
    ],
    ["an issuer with a password", { issuer_url: "https://me:pass@idp.example.com" }, expect.stringContaining("without a user")],
    ["an issuer with a query", { issuer_url: "https://idp.example.com?a=b" }, expect.stringContaining("without a user")],
    ["an issuer with a fragment", { issuer_url: "https://idp.example.com#a" }, expect.stringContaining("without a user")],
    ["a secret that is no text", { client_secret: 7 }, ".spec.client_secret: something else (not shown) (one line of text)"],
    ["an empty secret", { client_secret: "" }, ".spec.client_secret: something else (not shown) (one line of text)"],
    [
      "a row without a claim",
      { claims_to_roles: [{ value: "ops", roles: [] }] },
      ".spec.claims_to_roles[0].name: nothing (the name of one claim)",
    ],
    [
      "a row with two claims",
      { claims_to_roles: [{ name: "groups", claim: "groups", value: "ops", roles: [] }] },
      ".spec.claims_to_roles[0].name: both name and claim (the name of one claim)",
    ],
  ])("%s is refused", (_what, changes, fault) => expect(faultsOf(changes)).toEqual([fault]));

  test.each([
    "https://proxy.example.com/callback",
    "http://proxy.example.com/v1/webapi/oidc/callback",
    "https://proxy.example.com/v1/webapi/oidc/callback?a=b",
    "https://proxy.example.com/v1/webapi/oidc/callback#a",
    "proxy.example.com",
  ])("the redirect address %s is refused", (redirect) => {
    expect(faultsOf({ redirect_url: redirect })).toEqual([
      expect.stringContaining("/v1/webapi/oidc/callback, for example https://"),
    ]);
  });
});

const rows = [
  { name: "groups", claim: undefined, value: "ops", roles: ["editor", "access"] as ResourceName[] },
  { name: undefined, claim: "level", value: "3", roles: ["access"] as ResourceName[] },
  { name: undefined, claim: undefined, value: "never", roles: [] },
];

describe("claims", () => {
  test.each([
    ["a text", { groups: "ops" }, ["editor", "access"]],
    ["a list", { groups: ["dev", "ops"] }, ["editor", "access"]],
    ["a number", { level: 3 }, ["access"]],
    ["several rows, each role once", { groups: "ops", level: 3 }, ["editor", "access"]],
    ["something else", { groups: { ops: true }, level: [{}] }, []],
    ["nothing", {}, []],
    ["a name of every object", { constructor: "ops" }, []],
  ])("%s gives the roles of the rows that fit", (_what, claims, roles) => {
    expect(rolesFor(rowsFor({ claims_to_roles: rows }, claims))).toEqual(roles);
  });

  test("are told where no row fits, shortened", () => {
    const groups = Array.from({ length: 12 }, (_none, index) => `g${index}`);
    const told = tellMissing(rowsFor({ claims_to_roles: rows.slice(0, 2) }, { groups }), { groups });
    expect(told).toBe(
      'groups is "g0", "g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8", "g9", 2 more; level is missing; claims_to_roles asks for groups = "ops" or level = "3"',
    );
    const other = { groups: { ops: true } };
    expect(tellMissing(rowsFor({ claims_to_roles: rows.slice(0, 1) }, other), other)).toContain(
      "groups is neither a text nor a list of texts",
    );
    expect(tellMissing([], {})).toBe("claims_to_roles has no row");
  });
});

describe("the user's name", () => {
  const strict = { username_claim: undefined, allow_unverified_email: false };
  const email = "anna@example.com";
  test.each([
    ["a verified address", { email, email_verified: true }, strict, "anna@example.com"],
    ["an unverified one where that is allowed", { email }, { ...strict, allow_unverified_email: true }, "anna@example.com"],
    ["another claim", { nick: "anna" }, { ...strict, username_claim: "nick" }, "anna"],
  ])("is %s", (_what, claims, naming, name) => expect(nameFrom(claims, naming)).toEqual({ kind: "named", name }));

  test.each([
    ["an unverified address", { email, email_verified: false }, strict, 'email_verified is "false"'],
    ["an address of which nothing is said", { email }, strict, "email_verified is missing"],
    ["a claim that is missing", {}, strict, "sent no text in the claim email"],
    ["a claim that is empty", { email: "" }, strict, "sent no text in the claim email"],
    ["a claim that is no text", { nick: 7 }, { ...strict, username_claim: "nick" }, "sent no text in the claim nick"],
    ["a name that is none here", { nick: "an na" }, { ...strict, username_claim: "nick" }, "cannot be a user's name"],
  ])("is refused: %s", (_what, claims, naming, why) => {
    expect(nameFrom(claims, naming)).toMatchObject({ kind: "refused", why: expect.stringContaining(why) });
  });
});

describe("teams of GitHub", () => {
  const mapping = [
    { organization: "Acme", team: "ops", roles: ["editor"] as ResourceName[] },
    { organization: "acme", team: "all", roles: ["access"] as ResourceName[] },
  ];
  const rowsOf = (...teams: { organization: string; team: string }[]) => rowsForTeams({ teams_to_roles: mapping }, teams);

  test.each([
    ["whatever their case", { organization: "acme", team: "OPS" }, ["editor"]],
    ["not of another organization", { organization: "else", team: "ops" }, []],
    ["not by a part of the name", { organization: "acme", team: "op" }, []],
  ])("give the roles of their rows, %s", (_what, team, roles) => expect(rolesFor(rowsOf(team))).toEqual(roles));

  test("are told where no row fits", () => {
    const came = [{ organization: "acme", team: "dev" }];
    expect(tellMissingTeams(rowsOf(...came), came)).toBe(
      "GitHub sent the teams acme/dev; teams_to_roles asks for Acme/ops or acme/all",
    );
    expect(tellMissingTeams(rowsOf(), [])).toBe("GitHub sent no team; teams_to_roles asks for Acme/ops or acme/all");
    expect(tellMissingTeams([], came)).toBe("teams_to_roles has no row");
  });

  test.each([
    [undefined, undefined, "https://github.com", "https://api.github.com"],
    ["https://github.com/", undefined, "https://github.com", "https://api.github.com"],
    ["https://git.example.com/", undefined, "https://git.example.com", "https://git.example.com/api/v3"],
    ["https://a.ghe.com", "https://api.a.ghe.com/", "https://a.ghe.com", "https://api.a.ghe.com"],
  ])("are asked for at %s, %s", (endpoint_url, api_endpoint_url, endpoint, api) => {
    expect(addressesOf({ endpoint_url, api_endpoint_url })).toEqual({ endpoint, api });
  });
});

test.each([
  ["okta", { kind: undefined, name: "okta" }],
  ["github/okta", { kind: "github", name: "okta" }],
  ["user/okta", undefined],
  ["/okta", undefined],
  ["oidc/", undefined],
  ["oidc/a/b", undefined],
  ["", undefined],
])("the connector %s is read as it is meant, or refused", (typed, meant) => expect(parseConnectorName(typed)).toEqual(meant));

describe("the file of a saml connector", () => {
  const acs = "https://proxy.example.com/v1/webapi/saml/acs";
  const keys = { acs, attributes_to_roles: [{ name: "groups", value: "ops", roles: ["editor"] }] };
  const known = { ...keys, issuer: "https://idp.example.com", sso: "https://idp.example.com/sso?a=b", cert: "one" };
  const faults = (of: object): readonly string[] => {
    const reading = readResource({ kind: "saml", version: "v2", metadata: { name: "corp" }, spec: of });
    return reading.kind === "value" ? [] : reading.refusals.map(({ at, found, allowed }) => `${at}: ${found} (${allowed})`);
  };

  test.each([
    [known],
    [{ ...keys, entity_descriptor: "<EntityDescriptor/>" }],
    [{ ...keys, entity_descriptor_url: "https://idp.example.com/metadata?tenant=1" }],
    [{ ...known, acs: `${acs}/corp` }],
    [{ ...known, acs: acs.replace("/acs", "/callback") }],
    [{ ...known, signing_key_pair: { cert: "one", private_key: "two", more: "kept" } }],
  ])("%o is taken", (of) => expect(faults(of)).toEqual([]));

  test.each([
    [{ ...known, cert: undefined }, ".spec.entity_descriptor_url: nothing (the address of the identity provider's metadata"],
    [
      { ...known, acs: "https://proxy.example.com/acs" },
      `.spec.acs: "https://proxy.example.com/acs" (the proxy's public address with`,
    ],
    [{ ...known, acs: `${acs}/a/b` }, "the proxy's public address with"],
    [{ ...known, acs: `${acs}?a=b` }, "the proxy's public address with"],
    [{ ...known, sso: "http://idp.example.com" }, "an address that begins with https://, without a user or a fragment"],
    [{ ...known, sso: "https://me@idp.example.com" }, "without a user or a fragment"],
    [{ ...known, sso: "https://idp.example.com#a" }, "without a user or a fragment"],
    [{ ...known, sso: "idp" }, "without a user or a fragment"],
    [{ ...known, signing_key_pair: { private_key: 7 } }, "something else (not shown) (a private key in PEM)"],
    [{ ...known, signing_key_pair: { private_key: "k".repeat(20_000) } }, "something else (not shown) (a private key in PEM)"],
    [{ ...known, cert: "c".repeat(300_000) }, "a certificate in PEM, or several one after the other"],
  ])("%o is refused", (of, fault) => expect(faults(of)).toEqual([expect.stringContaining(fault)]));

  test("maps attributes as the rows of other kinds map claims", () => {
    const mapped = rowsForAttributes({ attributes_to_roles: readRows(known) }, { groups: ["ops", "dev"] });
    expect(mapped).toEqual([{ name: "groups", value: "ops", roles: ["editor"], fits: true }]);
    expect(tellMissing([], {}, "attributes_to_roles")).toBe("attributes_to_roles has no row");
  });
});

function readRows(of: object): Parameters<typeof rowsForAttributes>[0]["attributes_to_roles"] {
  const reading = readResource({ kind: "saml", version: "v2", metadata: { name: "corp" }, spec: of });
  return reading.kind === "value" && reading.value.kind === "saml" ? reading.value.spec.attributes_to_roles : [];
}
