import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { call } from "./hosts.ts";
import { home, startWithPeople, told, type SignedIn, type WithPeople } from "./people.ts";
import { testWithPeople as test } from "./fixtures.ts";
import { commit, put } from "../storage/filled.ts";

const getSession = "SessionService/GetSession";
const listEvents = "AuditService/ListEvents";
const upsert = "ResourceService/UpsertResource";

async function codeOf(answer: ReturnType<WithPeople["relay"]>): Promise<string> {
  return told(await answer).code;
}

describe("a call of a person", () => {
  let running: WithPeople;
  let anna: SignedIn;
  beforeAll(async () => {
    running = await startWithPeople();
    anna = await running.person("anna", ["auditor"]);
  });
  afterAll(async () => running[Symbol.asyncDispose]());

  test("is theirs, in the audit too, with where it came from and through which proxy", async () => {
    const eva = await running.person("eva", ["editor"]);
    const resource = { kind: "user", version: "v2", metadata: { name: "carl" }, spec: { roles: ["access"] } };
    expect((await running.as(eva, upsert, { resource })).status).toBe(200);
    const [event] = await running.store.events({ event: "user.created", name: "carl", most: 1 });
    expect(event).toMatchObject({ actor: "eva", origin: `${home} through ${running.proxy.id}` });
    expect(await running.store.get({ kind: "user", name: "carl" })).toMatchObject({ changedBy: "eva" });
  });

  test.each([
    [
      "by whoever has the token and not the key",
      async () => ({ token: anna.token, privateKey: (await makeKeyPair()).privateKey }),
      "another key",
    ],
    ["for another body", async () => ({ ...anna, proven: { body: { pageSize: 1 } } }), "another body"],
    ["for another method", async () => ({ ...anna, proven: { method: "AuditService/Other" } }), "another call"],
    ["two minutes ago", async () => ({ ...anna, proven: { at: running.now() - 120 } }), "auth's clock says"],
    ["in two minutes", async () => ({ ...anna, proven: { at: running.now() + 120 } }), "auth's clock says"],
  ] as const satisfies readonly (readonly [string, () => Promise<object>, string])[])(
    "is not taken where it was proven %s",
    async (_what, provingOf, saying) => {
      const proving = (await provingOf()) as never;
      const answer = await running.relay(listEvents, {}, await running.headersFor(listEvents, {}, proving));
      expect([answer.status, told(answer)]).toMatchObject([
        401,
        { code: "proof-refused", message: expect.stringContaining(saying) },
      ]);
      expect(answer.headers["date"]).toBeDefined();
      expect((await running.as(anna, listEvents)).status).toBe(200);
    },
  );

  test("is not taken twice, nor with the proof of another session", async () => {
    const bob = await running.person("bob", ["auditor"]);
    const headers = await running.headersFor(listEvents, {}, anna);
    expect((await running.relay(listEvents, {}, headers)).status).toBe(200);
    expect(told(await running.relay(listEvents, {}, headers))).toMatchObject({
      code: "proof-refused",
      message: expect.stringContaining("used before"),
    });
    const mixed = { ...(await running.headersFor(listEvents, {}, bob)), authorization: `DPoP ${anna.token}` };
    expect(told(await running.relay(listEvents, {}, mixed)).message).toContain("another session");
  });

  test.each([
    ["a token that was guessed", { authorization: `DPoP ${"0".repeat(64)}` }, "session-ended"],
    ["a token of another form", { authorization: "Bearer 0123" }, "session-ended"],
    ["no proof", { dpop: undefined }, "proof-refused"],
    ["something else for a proof", { dpop: "e30.e30.e30" }, "proof-refused"],
    ["no session", { authorization: undefined }, "session-ended"],
    ["no address", { "svc-client-address": undefined }, "request-refused"],
    ["an address that is none", { "svc-client-address": "203.0.113.7, 198.51.100.9" }, "request-refused"],
    ["an address with a zone", { "svc-client-address": "fe80::1%eth0" }, "request-refused"],
    ["another form than JSON", { "content-type": "application/proto" }, "request-refused"],
  ] as const)("is refused with %s", async (_what, change, code) => {
    const headers = { ...(await running.headersFor(listEvents, {}, anna)), ...change };
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    expect(await codeOf(running.relay(listEvents, {}, given as never))).toBe(code);
  });

  test("has its body read only once its session is there, and never more of it than is taken", async () => {
    const editor = await running.person("dora", ["editor"]);
    const large = { resource: { text: "x".repeat(1024 * 1024) } };
    const proving = { ...editor, token: "0".repeat(64) };
    expect(await codeOf(running.relay(upsert, large, await running.headersFor(upsert, large, proving)))).toBe("session-ended");
    expect((await running.as(editor, upsert, large)).body).toMatchObject({ code: "resource_exhausted" });
    const greeting = await running.relay("SessionService/Greet", { text: "x".repeat(70_000) }, { "svc-client-address": home });
    expect(greeting.body).toMatchObject({ code: "resource_exhausted" });
  });
});

describe("a person who keeps connectors", () => {
  let running: WithPeople;
  const connector = {
    kind: "oidc",
    version: "v3",
    metadata: { name: "idp" },
    spec: {
      issuer_url: "https://idp.example.com",
      client_id: "svc",
      redirect_url: "https://proxy.example.com/v1/webapi/oidc/callback",
      claims_to_roles: [],
    },
  };
  beforeAll(async () => {
    running = await startWithPeople();
    await running.ask(upsert, { resource: connector });
    const rules = [{ resources: ["oidc"], verbs: ["secrets"] }];
    await running.ask(upsert, {
      resource: { kind: "role", version: "v7", metadata: { name: "keeper" }, spec: { allow: { rules } } },
    });
  });
  afterAll(async () => running[Symbol.asyncDispose]());

  test("gets no secret without a key to encrypt the answer to, as a proxy is between", async () => {
    const keeper = await running.person("keeper", ["editor", "keeper"]);
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ type: "spki", format: "pem" });
    for (const secretsKey of [undefined, "x", rsa]) {
      const asked = { kind: "oidc", name: "idp", withSecrets: true, secretsKey };
      const answer = await running.as(keeper, "ResourceService/GetResource", asked);
      expect(told(answer)).toMatchObject({ code: "request-refused", message: expect.stringContaining("needs a public key") });
    }
  });

  test("tests one only with the verb create, and alone sees what comes of it", async () => {
    const anna = await running.person("anna", ["auditor"]);
    const refused = told(await running.as(anna, "SessionService/BeginSignInTest", { connector: "idp" }));
    expect(refused).toMatchObject({ code: "access-denied", message: expect.stringContaining("create on oidc") });
    const eva = await running.person("eva", ["editor"]);
    const { body } = await running.as(eva, "SessionService/BeginSignInTest", { connector: "idp" });
    const { id } = body as { id: string };
    const waiting = (who: SignedIn) => running.as(who, "SessionService/AwaitSignInTest", { id });
    expect((await waiting(eva)).status).toBe(200);
    const bob = await running.person("bob", ["editor"]);
    expect(told(await waiting(bob)).code).toBe("sign-in-refused");
    expect((await running.ask("SessionService/AwaitSignInTest", { id })).status).toBe(401);
  });
});

describe("a session", () => {
  test.each([
    ["twelve hours", async (running) => (running.clock.ahead += 12 * 3600)],
    ["its end by whoever has it", async (running, anna) => running.as(anna, "SessionService/SignOut")],
    ["its removal", async (running, anna) => running.ask("SessionService/RemoveSessions", { name: anna.name })],
    ["the removal of all of its user's", async (running) => running.ask("SessionService/RemoveSessions", { user: "anna" })],
    ["a reset", async (running) => running.invited("anna", "reset")],
    ["the removal of its user", async (running) => running.ask("ResourceService/DeleteResource", { kind: "user", name: "anna" })],
    [
      "the removal of its user, and another one of that name",
      async (running) => {
        await running.ask("ResourceService/DeleteResource", { kind: "user", name: "anna" });
        const resource = { kind: "user", version: "v2", metadata: { name: "anna" }, spec: { roles: ["auditor"] } };
        await running.ask("ResourceService/CreateResource", { resource });
      },
    ],
  ] as const satisfies readonly (readonly [string, (running: WithPeople, anna: SignedIn) => Promise<unknown>])[])(
    "is over after %s, at the next call",
    async (_what, end) => {
      await using running = await startWithPeople();
      const anna = await running.person("anna", ["auditor"]);
      expect((await running.as(anna, listEvents)).status).toBe(200);
      await end(running, anna);
      expect(told(await running.as(anna, listEvents))).toMatchObject({
        code: "session-ended",
        hint: expect.stringContaining("tsh login"),
      });
      const listed = await running.ask("SessionService/ListSessions", {});
      expect(listed.body).toEqual({});
    },
  );

  test("is of the password that it began with, whatever rows are left of it", async ({ running }) => {
    const anna = await running.person("anna", ["auditor"]);
    const item = (await running.store.get({ kind: "credential", name: "anna" }))!;
    await running.store.commit(commit([put("credential", "anna", { ...item.body, generation: "another" })]));
    expect(await running.store.count("session")).toBe(1);
    expect(await codeOf(running.as(anna, listEvents))).toBe("session-ended");
  });

  test("has the roles of now: one that is lost, and one whose rules change", async ({ running }) => {
    const role = (verbs: readonly string[]): object => ({
      resource: {
        kind: "role",
        version: "v7",
        metadata: { name: "own" },
        spec: { allow: { rules: [{ resources: ["audit"], verbs }] } },
      },
    });
    await running.ask(upsert, role(["list"]));
    const anna = await running.person("anna", ["own", "access"]);
    expect((await running.as(anna, listEvents)).status).toBe(200);
    await running.ask(upsert, role(["read"]));
    expect(told(await running.as(anna, listEvents))).toMatchObject({
      code: "access-denied",
      message: "none of your roles allows list on audit",
      hint: expect.stringContaining("`sudo tctl users update anna --set-roles=own,access,ROLE`"),
    });
    await running.ask(upsert, role(["list"]));
    const resource = { kind: "user", version: "v2", metadata: { name: "anna" }, spec: { roles: ["access"] } };
    await running.ask(upsert, { resource });
    expect(await codeOf(running.as(anna, listEvents))).toBe("access-denied");
    expect((await running.as(anna, getSession)).body).toMatchObject({ session: { roles: ["access"] } });
  });

  test("of one's own is shown and ended by everybody, and those of others by whose roles allow it", async ({ running }) => {
    const [anna, bob, carl] = [
      await running.person("anna", []),
      await running.person("bob", ["auditor"]),
      await running.person("carl", ["editor"]),
    ];
    const list = "SessionService/ListSessions";
    const remove = "SessionService/RemoveSessions";
    const namesIn = ({ body }: { readonly body: unknown }): readonly string[] =>
      ((body as { sessions?: { name: string }[] }).sessions ?? []).map(({ name }) => name);
    expect(namesIn(await running.as(anna, list, { user: "anna" }))).toEqual([anna.name]);
    expect(await codeOf(running.as(anna, list, {}))).toBe("access-denied");
    expect(await codeOf(running.as(anna, list, { user: "bob" }))).toBe("access-denied");
    expect(namesIn(await running.as(bob, list, {}))).toEqual([anna, bob, carl].map(({ name }) => name).toSorted());
    for (const asked of [{ name: anna.name }, { user: "anna" }, { name: "0".repeat(16) }]) {
      expect(await codeOf(running.as(bob, remove, asked))).toBe("access-denied");
    }
    expect(await codeOf(running.as(carl, remove, { name: "0".repeat(16) }))).toBe("resource-missing");
    expect(await codeOf(running.as(carl, remove, {}))).toBe("request-refused");
    expect((await running.as(carl, remove, { name: bob.name })).body).toEqual({ removed: 1 });
    expect((await running.as(anna, remove, { user: "anna" })).body).toEqual({ removed: 1 });
    expect(namesIn((await running.ask(list, {})) as never)).toEqual([carl.name]);
    const removed = await running.store.events({ event: "session.removed", most: 10 });
    expect(removed.map(({ actor, name }) => [actor, name])).toEqual([
      ["anna", anna.name],
      ["carl", bob.name],
    ]);
  });

  test("is listed in pages, each once", async () => {
    await using running = await startWithPeople({ secondFactor: "off" });
    const account = await running.account("anna", []);
    const names: string[] = [];
    for (let signed = 1; signed <= 5; signed += 1) names.push((await running.signIn(account)).name);
    for (const user of ["", "anna"]) {
      const found: string[] = [];
      let pageToken = "";
      do {
        const { body } = await running.ask("SessionService/ListSessions", { user, pageSize: 2, pageToken });
        const page = body as { sessions: { name: string }[]; nextPageToken?: string };
        found.push(...page.sessions.map(({ name }) => name));
        pageToken = page.nextPageToken ?? "";
      } while (pageToken !== "");
      expect(found).toEqual(names.toSorted());
    }
  });
});

describe("who is between", () => {
  test("is a proxy of the cluster: from anybody else the headers mean nothing", async ({ running }) => {
    const anna = await running.person("anna", ["editor"]);
    const node = await running.join("node");
    const headers = await running.headersFor(getSession, {}, anna);
    expect(told(await running.relay(getSession, {}, headers, node.trusting))).toMatchObject({
      code: "access-denied",
      message: expect.stringContaining("a certificate of kind node"),
    });
    expect(await codeOf(running.relay(getSession, {}, headers, running.stranger))).toBe("identity-refused");
    const visiting = { "svc-client-address": home };
    expect(await codeOf(running.relay("SessionService/Greet", {}, visiting, node.trusting))).toBe("access-denied");
    const atRoot = await running.ask(getSession, {}, { headers: { "content-type": "application/json", ...headers } });
    expect(told(atRoot as never)).toMatchObject({ code: "access-denied", message: expect.stringContaining("root may not call") });
    // The same headers through the proxy.
    expect((await running.relay(getSession, {}, headers)).status).toBe(200);
  });

  test("does what a proxy may without these headers, and nothing of its own with them", async ({ running }) => {
    const anna = await running.person("anna", ["editor"]);
    const status = "ClusterService/GetStatus";
    expect((await call(running.proxy.trusting, status, {})).status).toBe(200);
    expect(await codeOf(running.relay(status, {}, { "svc-client-address": home }))).toBe("session-ended");
    expect((await running.as(anna, status)).status).toBe(200);
    for (const method of ["JoinService/Join", "JoinService/Renew"])
      expect(await codeOf(running.as(anna, method))).toBe("access-denied");
  });

  test("brings nobody any more once it is removed, and people are not told to join", async ({ running }) => {
    const anna = await running.person("anna", ["editor"]);
    await running.ask("InstanceService/RemoveInstance", { id: running.proxy.id });
    const answer = told(await running.as(anna, getSession));
    expect(answer).toMatchObject({ code: "identity-refused", message: expect.stringContaining("of the proxy") });
    expect(answer.hint).not.toContain("svc join");
  });
});
