import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { home, password, startWithPeople, told, type SignedIn, type WithPeople } from "./people.ts";

/** May administer people, roles, tokens and connectors, and nothing that agents are moved by. */
const helpdesk = {
  kind: "role",
  version: "v7",
  metadata: { name: "helpdesk" },
  spec: {
    allow: {
      rules: [
        { resources: ["user", "role", "token", "github", "saml", "oidc"], verbs: ["create", "read", "update", "delete", "list"] },
        { resources: ["instance"], verbs: ["read", "list"] },
      ],
    },
    deny: { rules: [{ resources: ["audit"], verbs: ["list"] }] },
  },
};
const bound = {
  ...helpdesk,
  metadata: { name: "bound" },
  spec: { allow: helpdesk.spec.allow, deny: { rules: [{ resources: ["user"], verbs: ["secrets"] }] } },
};

const userOf = (name: string, roles: readonly string[]): object => ({
  kind: "user",
  version: "v2",
  metadata: { name },
  spec: { roles },
});
const roleOf = (name: string, resources: readonly string[], verbs: readonly string[]): object => ({
  kind: "role",
  version: "v7",
  metadata: { name },
  spec: { allow: { rules: [{ resources, verbs }] } },
});

const create = "ResourceService/CreateResource";
const upsert = "ResourceService/UpsertResource";
const invite = "InvitationService/CreateInvitation";
const link = { tokenDigest: "a".repeat(64), ttlSeconds: "3600" };

let running: WithPeople;
let mallory: SignedIn;

beforeAll(async () => {
  running = await startWithPeople();
  for (const resource of [helpdesk, bound, userOf("admin", ["editor"]), userOf("tied", ["access", "bound"])]) {
    await running.ask(create, { resource });
  }
  mallory = await running.person("mallory", ["helpdesk"]);
});
afterAll(async () => running[Symbol.asyncDispose]());

describe("whoever may administer people grants nobody what they lack:", () => {
  const github = {
    kind: "github",
    version: "v3",
    metadata: { name: "github" },
    spec: {
      client_id: "x",
      client_secret: "y",
      display: "GitHub",
      redirect_url: "https://proxy.example.com/v1/webapi/github/callback",
      teams_to_roles: [{ organization: "ours", team: "all", roles: ["editor"] }],
    },
  };
  const lacking = {
    message: expect.stringContaining("what your own roles do not allow"),
    hint: expect.stringContaining("`sudo tctl "),
  };
  const rootAlone = { hint: expect.stringContaining("sudo tctl") };

  test.each([
    ["a new role that allows more", create, { resource: roleOf("more", ["cluster_maintenance_config"], ["update"]) }, lacking],
    ["more in one's own role", upsert, { resource: { ...helpdesk, spec: roleSpec(["rollout"], ["update"]) } }, lacking],
    ["no deny any more in one's own role", upsert, { resource: { ...helpdesk, spec: { allow: helpdesk.spec.allow } } }, lacking],
    ["everything", create, { resource: roleOf("all", ["*"], ["*"]) }, lacking],
    ["a role for oneself", upsert, { resource: userOf("mallory", ["helpdesk", "editor"]) }, lacking],
    ["one's own role less, and its deny with it", upsert, { resource: userOf("mallory", ["access"]) }, lacking],
    ["a deny less for somebody else", upsert, { resource: userOf("tied", ["access"]) }, lacking],
    [
      "a new user with more",
      create,
      { resource: userOf("puppet", ["editor"]) },
      { ...lacking, hint: expect.stringContaining("`sudo tctl users add puppet --roles=editor`") },
    ],
    ["the mapping of a connector", create, { resource: github }, lacking],
    ["the password of whoever may more", invite, { ...link, user: "admin", reset: true }, lacking],
    ["a link for whoever may more", invite, { ...link, user: "admin" }, lacking],
    ["a proxy", "TokenService/CreateToken", { digest: "a".repeat(64), type: "proxy", ttlSeconds: "3600" }, rootAlone],
    ["an auth service", "TokenService/CreateToken", { digest: "a".repeat(64), type: "auth", ttlSeconds: "3600" }, rootAlone],
    ["what is secret", "ResourceService/ListResources", { kind: "github", withSecrets: true }, rootAlone],
    [
      "what the deny of one's role forbids",
      "AuditService/ListEvents",
      {},
      { message: expect.stringContaining("the role helpdesk denies list on audit") },
    ],
  ] as const)("%s", async (_what, method, body, saying) => {
    const before = (await running.store.about()).revision;
    const answer = await running.as(mallory, method, body);
    expect([answer.status, told(answer)]).toMatchObject([403, { code: "access-denied", ...saying }]);
    expect((await running.store.about()).revision).toBe(before);
  });

  test("and what they have they may hand on", async () => {
    expect((await running.as(mallory, create, { resource: userOf("carl", ["access"]) })).status).toBe(403);
    const own = roleOf("looks", ["instance"], ["read", "list"]);
    expect((await running.as(mallory, create, { resource: own })).status).toBe(200);
    expect((await running.as(mallory, create, { resource: userOf("carl", ["looks"]) })).status).toBe(200);
    expect((await running.as(mallory, invite, { ...link, user: "carl" })).status).toBe(200);
    const token = { digest: "b".repeat(64), type: "node", ttlSeconds: "3600" };
    expect((await running.as(mallory, "TokenService/CreateToken", token)).status).toBe(200);
  });

  test("nor is told what is wrong with what they may not write", async () => {
    const nobody = await running.person("nobody", []);
    for (const resource of [
      { ...roleOf("any", ["user"], ["read"]), typo: 1 },
      { ...helpdesk, typo: 1 },
    ]) {
      for (const method of [create, upsert]) {
        expect(told(await running.as(nobody, method, { resource })).code).toBe("access-denied");
      }
    }
  });

  test.each([
    ["its user may do more than who made it", userOf("dave", ["editor"]), userOf("meddler", ["helpdesk"])],
    ["who made it may invite nobody any more", userOf("dave", []), userOf("meddler", ["access"])],
  ])("a link is good until %s", async (_what, invited, inviter) => {
    await using own = await startWithPeople({ secondFactor: "off" });
    for (const resource of [helpdesk, userOf("dave", [])]) await own.ask(create, { resource });
    const meddler = await own.person("meddler", ["helpdesk"]);
    const token = "kept by who made it";
    const tokenDigest = createHash("sha256").update(token).digest("hex");
    const visiting = { "svc-client-address": home };
    expect((await own.as(meddler, invite, { ...link, user: "dave", tokenDigest })).status).toBe(200);
    expect((await own.relay("InvitationService/ReadInvitation", { token }, visiting)).status).toBe(200);
    for (const resource of [invited, inviter]) expect((await own.ask(upsert, { resource })).status).toBe(200);
    for (const [method, body] of [
      ["InvitationService/ReadInvitation", { token }],
      ["InvitationService/TakeInvitation", { token, password }],
    ] as const) {
      expect(told(await own.relay(method, body, visiting)).code).toBe("invitation-refused");
    }
  });

  test("nor takes a name that the audit has for others", async () => {
    for (const name of ["root@auth1", "ROOT", "auth", "visitor", running.proxy.id]) {
      expect(told(await running.as(mallory, create, { resource: userOf(name, []) })).code).toBe("request-refused");
    }
  });
});

describe("an editor, who has escalate on role,", () => {
  const manager = roleOf("maintenance-manager", ["cluster_maintenance_config"], ["create", "read", "update", "delete"]);
  const window = { kind: "cluster_maintenance_config", version: "v1", spec: { agent_upgrades: { utc_start_hour: 3 } } };

  test("makes a role with more rights, takes it, and sets the window; both grants stand in the audit", async () => {
    const erin = await running.person("erin", ["editor"]);
    expect((await running.as(erin, create, { resource: window })).status).toBe(403);
    expect((await running.as(erin, create, { resource: manager })).status).toBe(200);
    expect((await running.as(erin, upsert, { resource: userOf("erin", ["editor", "maintenance-manager"]) })).status).toBe(200);
    expect((await running.as(erin, create, { resource: window })).status).toBe(200);
    const { body } = await running.ask("AuditService/ListEvents", { event: "rights.escalated" });
    const grants = expect.stringContaining("grants create on cluster_maintenance_config");
    expect(body).toMatchObject({
      events: [
        { actor: "erin", kind: "user", name: "erin", detail: grants },
        { actor: "erin", kind: "role", name: "maintenance-manager", detail: grants },
      ],
    });
  });

  test("invites and resets nobody with more rights, and makes no root", async () => {
    const fred = await running.person("fred", ["editor"]);
    await running.ask(upsert, { resource: roleOf("window-only", ["cluster_maintenance_config"], ["update"]) });
    await running.ask(create, { resource: userOf("windy", ["window-only"]) });
    expect(told(await running.as(fred, invite, { ...link, user: "windy" })).code).toBe("access-denied");
    expect(told(await running.as(fred, "ClusterService/RotateAuthority", {})).code).toBe("access-denied");
  });
});

function roleSpec(resources: readonly string[], verbs: readonly string[]): object {
  return { ...helpdesk.spec, allow: { rules: [...helpdesk.spec.allow.rules, { resources, verbs }] } };
}
