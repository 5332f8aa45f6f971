import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { said, type Said } from "../tsh/running.ts";
import { addressIn, addRoleToMapping, administer, allowKeeping, keepingRoles, withAddedRole } from "./administer.ts";
import type { Browser, Shown } from "./browser.ts";
import { told } from "./people.ts";
import { codeOn, startSignInScene, wrongCode, type SignInScene } from "./sign-in-scene.ts";
import { client, startOidcProvider, type OidcProvider } from "./oidc-provider.ts";

type Kept = { readonly private_key: string; readonly token: string };

let cluster: SignInScene;
let idp: OidcProvider;
let home: string;
const clock = { ahead: 0 };
const now = (): number => Math.floor(Date.now() / 1000) + clock.ahead;

beforeAll(async () => {
  cluster = await startSignInScene(now);
  ({ home } = cluster);
  mkdirSync(join(home, "late"));
  idp = await startOidcProvider(cluster.callback("oidc/callback"));
  cluster.trust(idp.caFile);
  await connector();
});

afterAll(async () => {
  await idp[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

async function connector(changes: object = {}, name = "idp"): Promise<void> {
  const spec = {
    ...client,
    issuer_url: idp.issuer,
    redirect_url: cluster.callback("oidc/callback"),
    scope: ["groups"],
    claims_to_roles: [
      { name: "groups", value: "ops", roles: ["editor"] },
      { claim: "groups", value: "audit", roles: ["auditor", "access"] },
    ],
    ...changes,
  };
  await cluster.upsert({ kind: "oidc", version: "v3", metadata: { name }, spec });
}

function browser(stopBefore?: string): Browser {
  return cluster.browser(stopBefore);
}

function login(browsing: (url: string) => Promise<string>, at = home, auth = "idp"): Promise<Said> {
  return cluster.login(auth, browsing, at);
}

async function through(own: Browser, url: string, { login: who = "anna", password = "right" } = {}): Promise<Shown> {
  const form = await own.open(url);
  expect(form.page).toContain("<form");
  const next = await own.submit({ login: who, password });
  return next.page.includes("Allow") ? own.submit({}) : next;
}

function signIn(who: string): Promise<Said> {
  return login(async (url) => codeOn(await through(browser(), url, { login: who })));
}

const anna = { email: "anna@example.com", email_verified: true, groups: ["staff", "ops"] };

test("a person signs in in a browser, and has the roles of the mapping until the session ends", async () => {
  idp.people.set("anna", anna);
  const came = await signIn("anna");
  expect([came.status, came.error]).toEqual([0, ""]);
  expect(came.out).toContain("signed in\n");
  expect(came.out).toMatch(/user +anna@example\.com, through idp\nroles +editor\n/);
  expect(JSON.parse((await said(["status", "--json"], { home })).out)).toMatchObject({
    active: { username: "anna@example.com", roles: ["editor"], connector: "idp" },
  });
  const { body } = await cluster.people.ask("SessionService/ListSessions", {});
  expect(body).toMatchObject({ sessions: [{ user: "anna@example.com", roles: ["editor"], connector: "oidc/idp" }] });
  expect((await cluster.people.ask("ResourceService/DeleteResource", { kind: "user", name: "anna@example.com" })).status).toBe(
    200,
  );
  expect((await said(["status"], { home })).status).toBe(77);
});

test.each([
  {
    who: "a person whom no row of the mapping fits",
    claims: { ...anna, groups: ["staff", "dev"] },
    says: 'anna@example.com gets no role here: groups is "staff", "dev"; claims_to_roles asks for groups = "ops" or groups = "audit"',
  },
  {
    who: "a person whose groups the provider does not send",
    claims: { email: "anna@example.com", email_verified: true },
    says: "groups is missing",
  },
  {
    who: "an address that the provider has not verified",
    claims: { ...anna, email_verified: false },
    says: 'email_verified is "false"',
  },
  { who: "a person without an address", claims: { groups: ["ops"] }, says: "the provider sent no text in the claim email" },
  { who: "a name with a blank", claims: { ...anna, email: "a b@example.com" }, says: "cannot be a user's name here" },
  { who: "a name of the audit log", claims: { ...anna, email: "root@auth1" }, says: "reserved for the audit log" },
])("$who is refused in the browser, in tsh and in the audit, with the reason", async ({ claims, says }) => {
  idp.people.set("anna", claims);
  let page = "";
  const came = await login(async (url) => {
    ({ page } = await through(browser(), url));
    return wrongCode;
  });
  expect([came.status, came.error]).toEqual([77, expect.stringContaining(says)]);
  expect(page).toContain("You are not signed in");
  expect(page.replaceAll("&quot;", '"').replaceAll("&#39;", "'")).toContain(says);
  const { body } = await cluster.people.ask("AuditService/ListEvents", { event: "sign-in.refused", pageSize: 1 });
  expect(body).toMatchObject({ events: [{ kind: "oidc", name: "idp", detail: expect.stringContaining(says) }] });
});

test("a session through a connector with the longest name is read and ended as any other", async () => {
  const { people } = cluster;
  const name = "n".repeat(128);
  idp.people.set("anna", anna);
  await connector({}, name);
  expect((await login(async (url) => codeOn(await through(browser(), url)), home, `oidc/${name}`)).status).toBe(0);
  expect((await people.ask("SessionService/ListSessions", {})).body).toMatchObject({ sessions: [{ connector: `oidc/${name}` }] });
  expect((await people.ask("ResourceService/DeleteResource", { kind: "user", name: "anna@example.com" })).status).toBe(200);
  expect((await people.ask("SessionService/ListSessions", {})).body).toEqual({});
  await people.ask("ResourceService/DeleteResource", { kind: "oidc", name });
});

test("a subject that the store could not give back is refused", async () => {
  const subject = "s".repeat(5000);
  idp.people.set(subject, anna);
  const came = await login(async (url) => {
    expect((await through(browser(), url, { login: subject })).page).toContain("You are not signed in");
    return wrongCode;
  });
  expect([came.status, came.error]).toEqual([77, expect.stringContaining("longer than one line")]);
  idp.people.set("anna", anna);
  expect((await signIn("anna")).status).toBe(0);
  await said(["logout"], { home });
});

test("more roles than a session has are refused", async () => {
  const names = Array.from({ length: 65 }, (_, number) => `one-of-${number}`);
  for (const name of names) {
    const resource = { kind: "role", version: "v7", metadata: { name }, spec: { allow: { rules: [] } } };
    expect((await cluster.people.ask("ResourceService/CreateResource", { resource })).status).toBe(200);
  }
  const mapping = (roles: readonly string[]): object => ({
    claims_to_roles: roles.map((role) => ({ name: "groups", value: "ops", roles: [role] })),
  });
  idp.people.set("anna", anna);
  await connector(mapping(names.slice(1)));
  expect((await signIn("anna")).status).toBe(0);
  await said(["logout"], { home });
  await connector(mapping(names));
  const came = await login(async (url) => {
    await through(browser(), url);
    return wrongCode;
  });
  expect(came.error).toContain("anna@example.com would get 65 roles, and nobody has more than 64");
  await connector();
});

test("a person without a terminal is told how the browser's code is given", async () => {
  const came = await said(["login", `--proxy=${cluster.address}`, "--auth=idp", `--ca-file=${cluster.caFile}`], { home });
  expect([came.status, came.error]).toEqual([65, expect.stringContaining("there is no terminal to type the browser's code on")]);
});

test("a connector without a secret, or with another address than its issuer's, is kept with a note", async () => {
  const spec = {
    issuer_url: `${idp.issuer}/.well-known/openid-configuration`,
    client_id: "open",
    redirect_url: cluster.callback("oidc/callback"),
    claims_to_roles: [],
  };
  const resource = { kind: "oidc", version: "v3", metadata: { name: "open" }, spec };
  const { body } = await cluster.people.ask("ResourceService/CreateResource", { resource });
  expect(body).toMatchObject({
    changed: { remarks: [expect.stringContaining("take it as a public client"), expect.stringContaining("/.well-known/")] },
  });
});

test("a name that a local user has is refused", async () => {
  idp.people.set("anna", { ...anna, email: "local" });
  await cluster.people.account("local", ["access"]);
  expect((await signIn("anna")).error).toContain("the name local is taken by a user of this cluster");
});

test("a name that another identity has is refused as long as that one is signed in", async () => {
  idp.people.set("anna", anna).set("other", anna);
  expect((await signIn("anna")).status).toBe(0);
  expect((await signIn("other")).error).toContain("is in use by another identity, of oidc/idp");
  expect((await said(["logout"], { home })).status).toBe(0);
  expect((await signIn("other")).status).toBe(0);
  expect((await signIn("anna")).error).toContain("is in use by another identity");
  await said(["logout"], { home });
});

test("who left the group has no role at the next sign-in, and a local user of that name gives none", async () => {
  idp.people.set("anna", { ...anna, groups: ["audit"] });
  expect((await signIn("anna")).out).toMatch(/roles +auditor,access\n/);
  const resource = { kind: "user", version: "v2", metadata: { name: "anna@example.com" }, spec: { roles: ["editor"] } };
  expect((await cluster.people.ask("ResourceService/CreateResource", { resource })).status).toBe(200);
  expect((await said(["status"], { home })).status).toBe(77);
  expect((await cluster.people.ask("ResourceService/DeleteResource", { kind: "user", name: "anna@example.com" })).status).toBe(
    200,
  );
});

test("somebody who sends the address of their own sign-in to another person does not get that person's session", async () => {
  idp.people.set("victim", { ...anna, email: "victim@example.com" });
  const attacker = await login(async (url) => {
    const seen = await through(browser(), url, { login: "victim" });
    expect(seen.page).toContain("close this page and give the code to nobody");
    expect(seen.page).toContain("You signed in to the cluster example, through oidc/idp.");
    // The victim signs in, and tells nobody the code.
    return wrongCode;
  });
  expect([attacker.status, attacker.error]).toEqual([77, expect.stringContaining("not the code that the browser shows")]);
});

test("after three wrong codes the right one comes too late", async () => {
  idp.people.set("anna", anna);
  const { people } = cluster;
  const asked = { connector: "idp", client: "tsh" };
  const key = (await makeKeyPair()).privateKey;
  const call = async (method: string, body: object, privateKey = key) =>
    people.relay(method, body, await people.headersFor(method, body, { privateKey, proven: { at: now() } }));
  const { id = "", url = "" } = (await call("SessionService/BeginSignIn", asked)).body as { id?: string; url?: string };
  expect(told(await call("SessionService/FinishSignIn", { id, code: wrongCode })).message).toBe("the browser is not done yet");
  const code = codeOn(await through(browser(), url));
  const other = (await makeKeyPair()).privateKey;
  expect(told(await call("SessionService/FinishSignIn", { id, code }, other)).message).toContain("is over, or was never begun");
  const wrong = [1, 2, 3].map(() => call("SessionService/FinishSignIn", { id, code: wrongCode }));
  await Promise.all(wrong);
  expect(told(await call("SessionService/FinishSignIn", { id, code })).message).toBe("a wrong code was typed 3 times");
});

test.each([
  {
    what: "cancelled at the provider",
    play: async (own: Browser, url: string) => {
      await own.open(url);
      return own.submit({ cancel: "yes" });
    },
    page: "was cancelled",
    tsh: "was cancelled",
  },
  {
    what: "a wrong password at the provider",
    play: (own: Browser, url: string) => through(own, url, { password: "wrong" }),
    page: "wrong password",
    tsh: "the browser is not done yet",
  },
  {
    what: "another state",
    play: async (own: Browser, url: string) => {
      const done = await through(own, url);
      return own.open(done.url.replace(/state=[^&]*/, "state=another"));
    },
    page: "is over, or was never begun",
    tsh: "not the code",
  },
  {
    what: "the same callback twice",
    play: async (own: Browser, url: string) => own.open((await through(own, url)).url),
    page: "is over, or was never begun",
    tsh: "not the code",
  },
  {
    what: "a callback in another browser",
    play: async (own: Browser, url: string) => {
      const [stopped, other] = [browser(), browser()];
      await stopped.open(url);
      await other.open(url);
      // The first browser was sent away before the second.
      await stopped.submit({ login: "anna", password: "right" });
      return own.open((await stopped.submit({})).url);
    },
    page: "is over, or was never begun",
    tsh: "the browser is not done yet",
  },
  {
    what: "ten minutes too late",
    play: async (own: Browser, url: string) => {
      await own.open(url);
      clock.ahead += 601;
      await own.submit({ login: "anna", password: "right" });
      const shown = await own.submit({});
      clock.ahead -= 601;
      return shown;
    },
    page: "is over, or was never begun",
    tsh: "is over, or was never begun",
  },
])("$what ends in no session, and both are told", async ({ play, page, tsh }) => {
  idp.people.set("anna", anna);
  let shown: Shown | undefined;
  const came = await login(async (url) => {
    shown = await play(browser(), url);
    return wrongCode;
  });
  expect([shown?.page, came.status, came.error]).toEqual([expect.stringContaining(page), 77, expect.stringContaining(tsh)]);
});

test("a callback counts in no other browser, and still counts in the one that began", async () => {
  idp.people.set("anna", anna);
  const came = await login(async (url) => {
    const own = browser("/v1/webapi/oidc/callback");
    const stopped = await through(own, url);
    expect((await browser().open(stopped.url)).page).toContain("this browser did not begin this sign-in");
    return codeOn(await own.open(stopped.url));
  });
  expect([came.status, came.error]).toEqual([0, ""]);
});

test("the page of the code forbids scripts, frames and caches, and the cookie is the proxy's own", async () => {
  idp.people.set("anna", anna);
  let shown: Shown | undefined;
  await login(async (url) => {
    shown = await through(browser(), url);
    return codeOn(shown);
  });
  expect(shown?.headers).toMatchObject({
    "cache-control": "no-store",
    "content-security-policy": expect.stringContaining("default-src 'none'"),
    "referrer-policy": "no-referrer",
  });
});

test("a provider that does not answer is named, and the sign-in can be tried again", async () => {
  idp.people.set("anna", anna);
  idp.mood.away = true;
  const came = await login(async (url) => {
    const away = await browser().open(url);
    expect(away.page).toContain(`<p>Why: ${idp.issuer} does not answer as an OIDC provider`);
    idp.mood.away = false;
    return codeOn(await through(browser(), url));
  });
  expect([came.status, came.error]).toEqual([0, ""]);
});

test("a person whose code is refused on the terminal is told why, and asked again", async () => {
  idp.people.set("anna", anna);
  let shown = "";
  const codes = [() => wrongCode, async (url: string) => codeOn(await through(browser(), url))];
  const came = await said(["login", `--proxy=${cluster.address}`, "--auth=idp", `--ca-file=${cluster.caFile}`], {
    home,
    terminal: (soFar) => {
      let isOpen = true;
      return {
        write: (text) => void (shown += isOpen ? text : ""),
        askHidden: async (prompt) => {
          shown += `${prompt}\n`;
          const url = addressIn(soFar()) ?? "";
          return { kind: "line", text: (await codes.shift()?.(url)) ?? "" };
        },
        close: () => void (isOpen = false),
      };
    },
  });
  expect([came.status, came.error]).toEqual([0, ""]);
  expect(shown).toMatch(/^Code that the browser shows: \nthe browser is not done yet: .+\nCode that the browser shows: \n$/);
});

test("a connector that does not exist is refused by name, and --user beside --auth before anything is asked", async () => {
  const words = ["login", `--proxy=${cluster.address}`, `--ca-file=${cluster.caFile}`, "--password-file=-"];
  expect((await said([...words, "--auth=nobody"], { home })).error).toContain("there is no connector nobody");
  expect((await said([...words, "--auth=idp", "--user=anna"], { home })).error).toContain("exclude each other");
});

test("a changed issuer does not get the secret of the one before", async () => {
  const { people } = cluster;
  const { body } = await people.ask("ResourceService/GetResource", { kind: "oidc", name: "idp" });
  const { resource } = body as { resource: { spec: object } };
  const changed = { ...resource, spec: { ...resource.spec, issuer_url: "https://elsewhere.example.com" } };
  const answer = await people.ask("ResourceService/UpsertResource", { resource: changed });
  expect(JSON.stringify(answer.body)).toContain("the secret of the one before");
  expect((await people.ask("ResourceService/UpsertResource", { resource })).status).toBe(200);
});

test("an invitation is its maker's, and of nobody else who gets that name", async () => {
  const { people } = cluster;
  idp.people.set("anna", anna).set("other", anna);
  expect((await signIn("anna")).status).toBe(0);
  await people.ask("ResourceService/CreateResource", {
    resource: { kind: "user", version: "v2", metadata: { name: "dave" }, spec: { roles: [] } },
  });
  const profile = JSON.parse(readFileSync(join(home, ".svc", `${cluster.address.replace(":", "_")}.json`), "utf8")) as Kept;
  const token = "f".repeat(64);
  const tokenDigest = createHash("sha256").update(token).digest("hex");
  const asked = { user: "dave", tokenDigest, ttlSeconds: "3600" };
  const proving = { privateKey: profile.private_key, token: profile.token, proven: { at: now() } };
  const invite = "InvitationService/CreateInvitation";
  expect((await people.relay(invite, asked, await people.headersFor(invite, asked, proving))).status).toBe(200);
  const read = async (): Promise<number> =>
    (await people.relay("InvitationService/ReadInvitation", { token }, { "svc-client-address": "203.0.113.7" })).status;
  expect(await read()).toBe(200);
  expect((await people.ask("ResourceService/DeleteResource", { kind: "user", name: anna.email })).status).toBe(200);
  expect((await signIn("other")).status).toBe(0);
  expect(await read()).toBe(403);
  await said(["logout"], { home });
});

test.each([
  ["the connector is changed", () => connector({ display: String(clock.ahead) })],
  ["the user is removed", () => cluster.people.ask("ResourceService/DeleteResource", { kind: "user", name: "anna@example.com" })],
])("a code counts for nothing once %s", async (_what, happens) => {
  idp.people.set("anna", anna);
  expect((await signIn("anna")).status).toBe(0);
  const late = await login(
    async (url) => {
      const code = codeOn(await through(browser(), url));
      clock.ahead += 1;
      await happens();
      return code;
    },
    join(home, "late"),
  );
  expect(late.status).toBe(77);
});

test("a role that a session has is not deleted", async () => {
  const { people } = cluster;
  const resource = { kind: "role", version: "v7", metadata: { name: "lent" }, spec: { allow: { rules: [] } } };
  await people.ask("ResourceService/CreateResource", { resource });
  await connector({ claims_to_roles: [{ name: "groups", value: "ops", roles: ["lent"] }] });
  idp.people.set("anna", anna);
  expect((await signIn("anna")).status).toBe(0);
  await connector();
  const remove = { kind: "role", name: "lent" };
  expect(JSON.stringify((await people.ask("ResourceService/DeleteResource", remove)).body)).toMatch(
    /in use, by the session [0-9a-f]{16} of anna/,
  );
  expect((await said(["logout"], { home })).status).toBe(0);
  expect((await people.ask("ResourceService/DeleteResource", remove)).status).toBe(200);
});

test("what a stranger writes into the address of the callback is not repeated", async () => {
  const callback = cluster.callback("oidc/callback");
  const came = await login(async (url) => {
    const own = browser("/interaction");
    const form = await own.open(url);
    const state = new URL(own.visited.find((one) => one.includes("state=")) ?? form.url).searchParams.get("state") ?? "";
    const words = new URLSearchParams({ error: "x", error_description: "root approves ceo@example.com", state, iss: idp.issuer });
    expect((await own.open(`${callback}?${words.toString()}`)).page).not.toContain("root approves");
    return wrongCode;
  });
  expect([came.status, came.error]).toEqual([69, expect.stringContaining("the provider answers with an error x")]);
  const { body } = await cluster.people.ask("AuditService/ListEvents", { event: "sign-in.refused", pageSize: 1 });
  expect(JSON.stringify(body)).not.toContain("root approves");
});

function tctl(argv: readonly string[], browsing?: (url: string) => Promise<unknown>): Promise<Said> {
  return administer(home, argv, browsing);
}

test("a role is added to the mapping from a laptop, as the specification has it", async () => {
  await allowKeeping(cluster.people);
  await connector({ claims_to_roles: [{ name: "groups", value: "ops", roles: keepingRoles }] });
  idp.people.set("anna", anna);
  const secret = `client_secret: ${client.client_secret}`;
  expect(await addRoleToMapping({ home, connector: "oidc/idp", secret, signIn: () => signIn("anna") })).toMatch(withAddedRole);
});

test("a test of a connector shows claims, rows and roles, and leaves nothing", async () => {
  await connector({
    claims_to_roles: [
      { name: "groups", value: "ops", roles: ["editor", "access"] },
      { name: "groups", value: "audit", roles: ["auditor"] },
    ],
  });
  idp.people.set("anna", anna).set("other", { email: "other@example.com", email_verified: true, groups: ["audit", "staff"] });
  expect((await signIn("anna")).status).toBe(0);
  const before = await cluster.people.ask("AuditService/ListEvents", { pageSize: 1 });
  const sessions = await cluster.people.ask("SessionService/ListSessions", {});
  const own = browser();
  const came = await tctl(["sso", "test", "idp", "--format=json"], (url) => through(own, url, { login: "other" }));
  expect([came.status, JSON.parse(came.out)]).toMatchObject([
    0,
    {
      connector: "oidc/idp",
      user: "other@example.com",
      issuer: idp.issuer,
      claims: { email: "other@example.com", groups: ["audit", "staff"] },
      mapping: [
        { name: "groups", value: "ops", fits: false },
        { name: "groups", value: "audit", fits: true },
      ],
      roles: ["auditor"],
      refused: null,
    },
  ]);
  let page = "";
  const nobody = await tctl(["sso", "test", "idp"], async (url) => {
    idp.people.set("other", { email: "other@example.com", email_verified: true, groups: ["dev"] });
    ({ page } = await through(browser(), url, { login: "other" }));
  });
  expect(page).toContain("The test is done");
  expect(nobody).toMatchObject({
    status: 77,
    error: expect.stringContaining('other@example.com gets no role here: groups is "dev"'),
  });
  expect(nobody.out).toMatch(/\ngroups = ops +no +editor, access\n[^]*\nNobody would be signed in through oidc\/idp\n$/);
  const self = await tctl(["sso", "test", "oidc/idp"], (url) => through(browser(), url));
  expect(self.out).toContain("anna@example.com would be signed in through oidc/idp with the roles editor, access\n");
  expect((await cluster.people.ask("AuditService/ListEvents", { pageSize: 1 })).body).toEqual(before.body);
  expect((await cluster.people.ask("SessionService/ListSessions", {})).body).toEqual(sessions.body);
});

test("a test of a connector that cannot begin ends with the reason", async () => {
  await connector({ claims_to_roles: [{ name: "groups", value: "ops", roles: ["editor"] }] });
  idp.people.set("anna", anna);
  expect((await signIn("anna")).status).toBe(0);
  await connector({ issuer_url: "https://localhost:1", client_secret: "another" });
  const came = await tctl(["sso", "test", "idp"], (url) => browser().open(url));
  expect(came).toMatchObject({ status: 69, out: "", error: expect.stringContaining("ECONNREFUSED") });
  await connector();
});

test("of two connectors with one name the hint of a test names the test", async () => {
  const { people } = cluster;
  const spec = {
    client_id: "x",
    redirect_url: cluster.callback("github/callback"),
    teams_to_roles: [{ organization: "example", team: "ops", roles: ["access"] }],
  };
  await people.ask("ResourceService/UpsertResource", {
    resource: { kind: "github", version: "v3", metadata: { name: "idp" }, spec },
  });
  expect((await tctl(["sso", "test", "idp"])).error).toContain("`tctl sso test oidc/idp`");
  await people.ask("ResourceService/DeleteResource", { kind: "github", name: "idp" });
});

test("who may not remove a person ends none of their sessions by a new user of that name", async () => {
  const { people } = cluster;
  const rules = [{ resources: ["user"], verbs: ["create"] }];
  const resource = { kind: "role", version: "v7", metadata: { name: "user-maker" }, spec: { allow: { rules } } };
  await people.ask("ResourceService/CreateResource", { resource });
  await connector({
    claims_to_roles: [
      { name: "groups", value: "makers", roles: ["user-maker"] },
      { name: "groups", value: "ops", roles: ["editor"] },
    ],
  });
  idp.people.set("maker", { ...anna, email: "maker@example.com", groups: ["makers"] });
  idp.people.set("boss", { ...anna, email: "boss@example.com" });
  expect((await signIn("maker")).status).toBe(0);
  const at = join(home, "late");
  expect((await login(async (url) => codeOn(await through(browser(), url, { login: "boss" })), at)).status).toBe(0);
  const boss = { kind: "user", version: "v2", metadata: { name: "boss@example.com" }, spec: { roles: [] } };
  const file = join(home, "boss.json");
  writeFileSync(file, JSON.stringify(boss));
  const refused = await tctl(["create", file]);
  expect([refused.status, refused.error]).toEqual([
    77,
    expect.stringMatching(/boss@example\.com is signed in through oidc\/idp, .*none of your roles allows delete on user/),
  ]);
  expect((await said(["status"], { home: at })).status).toBe(0);
  expect((await people.ask("ResourceService/CreateResource", { resource: boss })).body).toMatchObject({
    changed: { remarks: ["boss@example.com was signed in through oidc/idp: those sessions have ended"] },
  });
  expect((await said(["status"], { home: at })).status).toBe(77);
});
