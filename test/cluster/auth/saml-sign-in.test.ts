import { readFileSync } from "node:fs";
import { Agent, request } from "undici";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isByForm } from "../../../src/cluster/auth/connectors.ts";
import { said, type Said } from "../tsh/running.ts";
import { addRoleToMapping, allowKeeping, keepingRoles, withAddedRole } from "./administer.ts";
import type { Browser, Shown } from "./browser.ts";
import { selfSigned, startSamlProvider, type SamlProvider } from "./saml-provider.ts";
import { codeOn, startSignInScene, type SignInScene } from "./sign-in-scene.ts";

let cluster: SignInScene;
let idp: SamlProvider;
let home: string;
let acs: string;

beforeAll(async () => {
  cluster = await startSignInScene();
  ({ home } = cluster);
  acs = cluster.callback("saml/acs/corp");
  idp = await startSamlProvider(acs);
  cluster.trust(idp.caFile);
});

beforeEach(async () => {
  idp.people.clear();
  await said(["logout"], { home });
  await connector({ entity_descriptor_url: `${idp.origin}/metadata` });
});

afterAll(async () => {
  await idp[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

function connector(provider: object): Promise<unknown> {
  const attributes_to_roles = [
    { name: "groups", value: "ops", roles: ["editor"] },
    { name: "groups", value: "audit", roles: ["auditor", "access"] },
  ];
  const spec = { acs, attributes_to_roles, ...provider };
  return cluster.upsert({ kind: "saml", version: "v2", metadata: { name: "corp" }, spec });
}

/** What the page says where a test of the connector begins. */
async function begunPage(provider: object): Promise<string> {
  await connector(provider);
  const { body } = await cluster.people.ask("SessionService/BeginSignInTest", { connector: "corp" });
  const { page } = await cluster.browser().open((body as { url: string }).url);
  return page.replaceAll("&#39;", "'");
}

type Browsing = (own: Browser, url: string) => Promise<Shown>;
type Played = Said & { readonly page: string };

const asAnna: Browsing = async (own, url) => {
  expect((await own.open(url)).page).toContain("<form");
  return send(own, await own.submit({ login: "anna@example.com", password: "right" }));
};

/** The identity provider's page has a form that a browser submits by itself. */
function send(own: Browser, { page }: Shown): Promise<Shown> {
  return own.submit(fieldsOf(page));
}

function fieldsOf(page: string): Record<string, string> {
  return Object.fromEntries(
    [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}

async function signIn(browsing: Browsing = asAnna): Promise<Played> {
  let shown: Shown | undefined;
  const came = await cluster.login("corp", async (url) => {
    shown = await browsing(cluster.browser(), url);
    return codeOn(shown);
  });
  return { ...came, page: shown?.page ?? "" };
}

test("a person signs in with the roles of the mapping, and the last page comes from the provider's form", async () => {
  idp.people.set("anna@example.com", ["staff", "audit"]);
  const came = await signIn();
  expect([came.status, came.error]).toEqual([0, ""]);
  expect(came.out).toMatch(/user +anna@example\.com, through corp\nroles +auditor,access\n/);
  const { body } = await cluster.people.ask("SessionService/ListSessions", {});
  expect(body).toMatchObject({ sessions: [{ user: "anna@example.com", connector: "saml/corp" }] });
});

test.each([
  ["the metadata in the file", () => ({ entity_descriptor: idp.metadata })],
  ["three keys", () => ({ issuer: idp.entityId, sso: `${idp.origin}/sso?tenant=1`, cert: idp.certificate })],
  [
    "two certificates of which the second signs, and a key of ours that signs the request",
    () => ({
      issuer: idp.entityId,
      sso: `${idp.origin}/sso?tenant=1`,
      cert: `${selfSigned("rsa:2048").cert}${idp.certificate}`,
      signing_key_pair: { private_key: selfSigned("rsa:2048").key },
    }),
  ],
])("the provider may be known by %s", async (_what, provider) => {
  await connector(provider());
  idp.people.set("anna@example.com", ["ops"]);
  expect((await signIn()).out).toMatch(/roles +editor\n/);
});

test("a role is added to the mapping from a laptop, as the specification has it", async () => {
  await allowKeeping(cluster.people);
  const own = selfSigned("rsa:2048");
  await connector({
    entity_descriptor: idp.metadata,
    signing_key_pair: { cert: own.cert, private_key: own.key },
    attributes_to_roles: [{ name: "groups", value: "ops", roles: keepingRoles }],
  });
  idp.people.set("anna@example.com", ["ops"]);
  const [, firstLine = ""] = own.key.split("\n");
  expect(await addRoleToMapping({ home, connector: "saml/corp", secret: firstLine, signIn: () => signIn() })).toMatch(
    withAddedRole,
  );
});

test("a person in very many groups signs in", async () => {
  const groups = Array.from({ length: 1000 }, (_, at) => `CN=${"group".repeat(20)}${at},OU=groups,DC=example,DC=com`);
  idp.people.set("anna@example.com", [...groups, "ops"]);
  const came = await signIn();
  expect([came.status, came.error]).toEqual([0, ""]);
  expect(came.out).toMatch(/roles +editor\n/);
});

test("a person whom no row fits is told which attributes came and which rows asked for others", async () => {
  idp.people.set("anna@example.com", ["staff", "dev"]);
  const says =
    'anna@example.com gets no role here: groups is "staff", "dev"; attributes_to_roles asks for groups = "ops" or groups = "audit"';
  const came = await signIn();
  expect([came.status, came.error]).toEqual([77, expect.stringContaining(says)]);
  expect(came.error).toContain("the provider sent NameID, groups: have its administrator send one that a row asks for");
  expect(came.page).toContain("You are not signed in");
});

test("the cookie comes along from another site for this kind alone", () => {
  expect((["github", "oidc", "saml"] as const).map(isByForm)).toEqual([false, false, true]);
});

test("an answer counts once, and only in the browser that was sent to the provider", async () => {
  idp.people.set("anna@example.com", ["ops"]);
  let again: Shown | undefined;
  let elsewhere: Shown | undefined;
  const came = await signIn(async (own, url) => {
    await own.open(url);
    const answer = await own.submit({ login: "anna@example.com", password: "right" });
    const other = cluster.browser();
    await other.open(idp.origin);
    elsewhere = await posted(other, answer);
    const last = await send(own, answer);
    again = await posted(own, answer);
    return last;
  });
  expect(elsewhere?.page).toContain("this browser did not begin this sign-in");
  expect(again?.page).toContain("this sign-in is over");
  expect(came.status).toBe(0);
});

/** Opens a page with the provider's form once more, and submits it. */
async function posted(browser: Browser, { page }: Shown): Promise<Shown> {
  const { SAMLResponse = "", RelayState = "" } = fieldsOf(page);
  await browser.open(`${idp.origin}/form?${new URLSearchParams({ RelayState }).toString()}`);
  return browser.submit({ SAMLResponse, RelayState }, acs);
}

test.each([
  [
    "signs with another key",
    () => connector({ issuer: idp.entityId, sso: `${idp.origin}/sso`, cert: selfSigned("rsa:2048").cert }),
  ],
  ["is known by another name", () => connector({ issuer: "other", sso: `${idp.origin}/sso`, cert: idp.certificate })],
])("an answer is judged by the connector as it is then: one that %s", async (_what, change) => {
  idp.people.set("anna@example.com", ["ops"]);
  const came = await signIn(async (own, url) => {
    await own.open(url);
    const answer = await own.submit({ login: "anna@example.com", password: "right" });
    await change();
    return send(own, answer);
  });
  expect([came.status, came.error]).toEqual([69, expect.stringContaining("the provider's answer is not taken")]);
});

test("a person who cancels at the provider is told so, and the audit has it", async () => {
  const came = await signIn(async (own, url) => {
    await own.open(url);
    const RelayState = new URL(own.visited.at(-1) ?? "").searchParams.get("RelayState") ?? "";
    const status = "urn:oasis:names:tc:SAML:2.0:status";
    const denied = `<Response><Status><StatusCode Value="${status}:Responder"><StatusCode Value="${status}:AuthnFailed"/></StatusCode></Status></Response>`;
    return own.submit({ SAMLResponse: Buffer.from(denied).toString("base64"), RelayState }, acs);
  });
  const says = "the sign-in was cancelled, or the provider does not let this person in";
  expect([came.status, came.error]).toEqual([77, expect.stringContaining(says)]);
  const { body } = await cluster.people.ask("AuditService/ListEvents", {});
  expect(JSON.stringify(body)).toContain(says);
});

test("an answer that nobody asked for is refused", async () => {
  const browser = cluster.browser();
  await browser.open(idp.origin);
  expect((await browser.submit({ SAMLResponse: "PHg+", RelayState: "" }, acs)).page).toContain(
    "this sign-in is over, or was never begun",
  );
});

test.each([
  ["GET", undefined, "", 405],
  ["POST", "application/json", "{}", 413],
  ["POST", "application/x-www-form-urlencoded", "a".repeat(600_000), 413],
])("the proxy hands on no %s of the type %s", async (method, type, body, status) => {
  const ca = readFileSync(cluster.caFile, "utf8");
  const dispatcher = new Agent({ connect: { ca } });
  const headers = type === undefined ? {} : { "content-type": type };
  const answer = await request(acs, { dispatcher, method: method as "GET", headers, body: method === "GET" ? null : body });
  expect(answer.statusCode).toBe(status);
  await answer.body.dump();
  await dispatcher.close();
});

test.each([
  [{ cert: selfSigned("rsa:1024").cert }, "an RSA key of 1024 bits"],
  [{ cert: selfSigned("ec").cert }, "a key of the kind ec"],
  [{ cert: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n" }, "cannot be read"],
  [{ cert: "a certificate" }, "no certificate of the identity provider"],
  [
    { cert: selfSigned("rsa:2048").cert, signing_key_pair: { private_key: "no key" } },
    "the request cannot be signed with the private_key of signing_key_pair",
  ],
])("a connector with %o lets nobody in", async (wrong, says) => {
  const provider = { issuer: idp.entityId, sso: `${idp.origin}/sso`, ...wrong };
  await cluster.people.ask("ResourceService/DeleteResource", { kind: "saml", name: "corp" });
  expect(await connector(provider)).toMatchObject({
    changed: { remarks: [expect.stringContaining("nobody can sign in by it yet")] },
  });
  expect(await begunPage(provider)).toContain(says);
});

const changed = (from: RegExp, to: string) => (): string => idp.metadata.replaceAll(from, to);

test.each([
  ["without a key that signs", changed(/use="signing"/g, 'use="encryption"'), "no certificate of the identity provider"],
  [
    "with an address without TLS",
    changed(/https:\/\/localhost/g, "http://localhost"),
    "it has no SingleSignOnService for HTTP-Redirect at https://",
  ],
  [
    "with another way alone",
    changed(/HTTP-Redirect/g, "HTTP-POST"),
    "it has no SingleSignOnService for HTTP-Redirect at https://",
  ],
])("the provider's own metadata %s is refused", async (_what, metadata, says) => {
  expect(await begunPage({ entity_descriptor: metadata() })).toContain(says);
});

test.each([
  ["<a/>", "it is no EntityDescriptor"],
  ["<!DOCTYPE a><a/>", "has a document type"],
  ["<a", "the identity provider's metadata is not taken"],
  ['<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>', "it has no IDPSSODescriptor"],
  [
    '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"><IDPSSODescriptor/></EntityDescriptor>',
    "no SingleSignOnService for HTTP-Redirect",
  ],
])("the metadata %s is refused", async (metadata, says) => {
  expect(await begunPage({ entity_descriptor: metadata })).toContain(says);
});
