import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { said, type Said } from "../tsh/running.ts";
import type { Browser, Shown } from "./browser.ts";
import { githubClient, startGithub, type Github } from "./github.ts";
import { codeOn, startSignInScene, type SignInScene } from "./sign-in-scene.ts";

let cluster: SignInScene;
let hub: Github;
let home: string;

beforeAll(async () => {
  cluster = await startSignInScene();
  ({ home } = cluster);
  hub = await startGithub(cluster.callback("github/callback"));
  cluster.trust(hub.caFile);
});

beforeEach(async () => {
  hub.people.clear();
  hub.mood.keepsTokens = false;
  hub.mood.namesNextAt = undefined;
  await said(["logout"], { home });
  await connector();
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

function connector(changes: object = {}): Promise<unknown> {
  const spec = {
    ...githubClient,
    endpoint_url: hub.origin,
    redirect_url: cluster.callback("github/callback"),
    teams_to_roles: [
      { organization: "Acme", team: "ops", roles: ["editor"] },
      { organization: "acme", team: "audit", roles: ["auditor", "access"] },
    ],
    ...changes,
  };
  return cluster.upsert({ kind: "github", version: "v3", metadata: { name: "hub" }, spec });
}

/** What is done instead of submitting the form; the redirect back waits then. */
type Browsing = (own: Browser) => Promise<Shown>;
type Played = Said & { readonly page: string };

/** A person signs in at GitHub, and types the code of the last page, or a wrong one if there is none. */
async function signIn(fields: Readonly<Record<string, string>>, auth = "hub", browse?: Browsing): Promise<Played> {
  let shown: Shown | undefined;
  const came = await cluster.login(auth, async (url) => {
    const own = cluster.browser(browse && "/v1/webapi/github/callback");
    shown = await own.open(url);
    if (shown.page.includes("<form")) shown = await (browse?.(own) ?? own.submit(fields));
    return codeOn(shown);
  });
  return { ...came, page: shown?.page ?? "" };
}

const anna = { login: "anna", password: "right" };

test("a person of a team signs in, by their login and GitHub's number, and no token is left", async () => {
  hub.people.set("anna", { id: 7, teams: ["acme/dev", "acme/OPS"] });
  const before = hub.given();
  const came = await signIn(anna);
  expect([came.status, came.error]).toEqual([0, ""]);
  expect(came.out).toMatch(/user +anna, through hub\nroles +editor\n/);
  const { body } = await cluster.people.ask("SessionService/ListSessions", {});
  expect(body).toMatchObject({ sessions: [{ user: "anna", roles: ["editor"], connector: "github/hub" }] });
  expect([hub.given() - before, hub.tokens.size]).toEqual([1, 0]);
});

test("a team on the third page counts", async () => {
  const teams = Array.from({ length: 249 }, (_none, index) => `acme/t${index}`);
  hub.people.set("anna", { id: 7, teams: [...teams, "acme/audit"] });
  expect((await signIn(anna)).out).toMatch(/roles +auditor,access\n/);
});

test.each([
  {
    who: "a person of other teams",
    teams: ["acme/dev", "else/ops"],
    says: "anna gets no role here: GitHub sent the teams acme/dev, else/ops; teams_to_roles asks for Acme/ops or acme/audit",
  },
  {
    who: "a person whose organization has not approved the application",
    teams: [],
    says: "GitHub sent no team; teams_to_roles asks",
  },
])("$who is refused with the teams and the rows, and no token is left", async ({ teams, says }) => {
  hub.people.set("anna", { id: 7, teams });
  const before = hub.given();
  const came = await signIn(anna);
  expect([came.status, came.error]).toEqual([77, expect.stringContaining(says)]);
  expect(came.error).toContain("an owner of it may have to approve the OAuth app");
  expect(came.page).toContain(says);
  const { body } = await cluster.people.ask("AuditService/ListEvents", { event: "sign-in.refused", pageSize: 1 });
  expect(body).toMatchObject({ events: [{ kind: "github", name: "hub", detail: expect.stringContaining(says) }] });
  expect([hub.given() - before, hub.tokens.size]).toEqual([1, 0]);
});

test("a token that cannot be revoked stops no sign-in, and is logged", async () => {
  hub.people.set("anna", { id: 7, teams: ["acme/ops"] });
  hub.mood.keepsTokens = true;
  expect((await signIn(anna)).status).toBe(0);
  expect(hub.tokens.size).toBe(1);
  const line = cluster.people.lines.find(({ sentence }) => sentence.includes("did not revoke"));
  expect(line).toMatchObject({ level: "warning", fields: { why: expect.stringContaining("answers 500 to DELETE") } });
  expect(JSON.stringify(line)).not.toContain([...hub.tokens.keys()][0]);
  hub.tokens.clear();
});

test("the token goes to no other address that a page names", async () => {
  hub.people.set("anna", { id: 7, teams: Array.from({ length: 101 }, () => "acme/ops") });
  hub.mood.namesNextAt = "https://localhost:1";
  const came = await signIn(anna);
  expect([came.error, hub.tokens.size]).toEqual([expect.stringContaining("names a next page at another address"), 0]);
});

test("a list of teams without an end is refused", async () => {
  hub.people.set("anna", { id: 7, teams: Array.from({ length: 5001 }, () => "acme/ops") });
  expect((await signIn(anna)).error).toContain("more than 50 pages of teams");
});

test("who cancels at GitHub is told so", async () => {
  hub.people.set("anna", { id: 7, teams: ["acme/ops"] });
  const came = await signIn({ cancel: "yes" });
  expect([came.status, came.error, came.page]).toEqual([
    77,
    expect.stringContaining("was cancelled"),
    expect.stringContaining("was cancelled"),
  ]);
});

test("a wrong client_secret is told in GitHub's words, though it answers 200", async () => {
  hub.people.set("anna", { id: 7, teams: ["acme/ops"] });
  await connector({ client_secret: "wrong" });
  expect((await signIn(anna)).error).toContain("the provider answers incorrect_client_credentials: The client_id and/or");
});

test("a connector without client_secret is kept with a remark, and its page says what is missing", async () => {
  await cluster.people.ask("ResourceService/DeleteResource", { kind: "github", name: "hub" });
  const teams_to_roles = [{ organization: "acme", team: "Site Ops", roles: [] }];
  expect(await connector({ client_secret: undefined, teams_to_logins: [], teams_to_roles })).toMatchObject({
    changed: {
      remarks: [
        "kept, but without effect here: teams_to_logins",
        "it has no client_secret: nobody can sign in by it yet",
        'the team "Site Ops" cannot be there: write its slug, as the address of its page has it',
      ],
    },
  });
  expect((await signIn(anna)).page).toContain("Why: the connector has no client_secret");
});

test("who takes a login that was given up is another identity, and so is who was renamed", async () => {
  hub.people.set("anna", { id: 7, teams: ["acme/ops"] });
  expect((await signIn(anna)).status).toBe(0);
  hub.people.set("anna", { id: 8, teams: ["acme/ops"] }).set("annette", { id: 7, teams: ["acme/audit"] });
  expect((await signIn(anna)).error).toContain("the name anna is in use by another identity, of github/hub");
  expect((await signIn({ ...anna, login: "annette" })).out).toMatch(/user +annette, .*\nroles +auditor,access\n/);
});

test("of two connectors with one name the kind says which", async () => {
  hub.people.set("anna", { id: 7, teams: ["acme/ops"] });
  const spec = {
    issuer_url: "https://localhost:1",
    client_id: "c",
    redirect_url: cluster.callback("oidc/callback"),
    claims_to_roles: [],
  };
  await cluster.upsert({ kind: "oidc", version: "v3", metadata: { name: "hub" }, spec });
  const words = ["login", `--proxy=${cluster.address}`, `--ca-file=${cluster.caFile}`, "--password-file=-"];
  const { error } = await said([...words, "--auth=hub"], { home });
  expect(error).toContain("there are 2 connectors with the name hub");
  expect(error).toContain("`tsh login --auth=github/hub` or `tsh login --auth=oidc/hub`");
  expect((await said([...words, "--auth=saml/hub"], { home })).error).toContain("there is no connector saml/hub");
  expect((await said([...words, "--auth=ldap/hub"], { home })).error).toContain('"ldap/hub" cannot be a connector\'s name');
  expect((await signIn(anna, "github/hub")).out).toMatch(/user +anna, through github\/hub\n/);
  expect(JSON.parse((await said(["status", "--json"], { home })).out)).toMatchObject({ active: { connector: "github/hub" } });
  await cluster.people.ask("ResourceService/DeleteResource", { kind: "oidc", name: "hub" });
});

test("an answer counts only at the callback of its own kind", async () => {
  hub.people.set("anna", { id: 7, teams: ["acme/ops"] });
  let elsewhere = "";
  const came = await signIn(anna, "hub", async (own) => {
    const stopped = await own.submit(anna);
    elsewhere = (await own.open(stopped.url.replace("/github/", "/oidc/"))).page;
    return own.open(stopped.url);
  });
  expect(elsewhere).toContain("is over, or was never begun");
  expect([came.status, came.error]).toEqual([0, ""]);
});

test("a GitHub that cannot be reached is named", async () => {
  hub.people.set("anna", { id: 7, teams: ["acme/ops"] });
  await connector({ api_endpoint_url: "https://localhost:1" });
  const came = await signIn(anna);
  expect([came.status, came.error]).toEqual([69, expect.stringContaining("localhost:1 cannot be asked")]);
  hub.tokens.clear();
});
