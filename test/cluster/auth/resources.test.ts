import { expect } from "vitest";
import { startRunning } from "./running.ts";
import { testRunning as test } from "./fixtures.ts";

const role = {
  kind: "role",
  version: "v7",
  metadata: { name: "upgrader" },
  spec: { allow: { rules: [{ resources: ["cluster_maintenance_config"], verbs: ["create", "read", "update", "list"] }] } },
};
const maintenance = {
  kind: "cluster_maintenance_config",
  spec: { agent_upgrades: { utc_start_hour: 13, weekdays: ["Mon", "wednesday"] } },
};

test("what root creates is there, as its file has it, with its revision", async ({ running }) => {
  const { ask } = running;
  const created = await ask("ResourceService/CreateResource", { resource: role });
  const { revision } = (created.body as { changed: { revision: string } }).changed;
  expect(revision).toBe((await running.store.about()).revision);
  expect(created.body).toStrictEqual({ changed: { kind: "role", name: "upgrader", outcome: "created", revision } });
  const got = await ask("ResourceService/GetResource", { kind: "role", name: "upgrader" });
  expect(got.body).toStrictEqual({ resource: { ...role, metadata: { name: "upgrader", revision } } });
});

test("a maintenance configuration says when it opens next", async ({ running }) => {
  const { ask } = running;
  const { body } = await ask("ResourceService/UpsertResource", { resource: maintenance });
  const nextOpenings = ["2026-01-05T13:00:00Z", "2026-01-07T13:00:00Z", "2026-01-12T13:00:00Z"];
  expect(body).toMatchObject({ changed: { nextOpenings, revision: expect.any(String) } });
  expect((body as { changed: object }).changed).not.toHaveProperty("remarks");
  const status = await ask("ClusterService/GetStatus");
  expect(status.body).toMatchObject({ nextOpenings });
});

test("a maintenance configuration without weekdays says that it opens every day", async ({ running }) => {
  const channels = { stable: { utc_start_hour: 3 }, edge: { utc_start_hour: 4, weekdays: ["Fri"] } };
  const resource = { ...maintenance, spec: { agent_upgrades: { utc_start_hour: 13, weekdays: [], channels } } };
  const { body } = await running.ask("ResourceService/UpsertResource", { resource });
  const remarks = [
    "no weekdays are named: it opens every day",
    "no weekdays are named for the channel stable: its window opens every day",
  ];
  expect(body).toMatchObject({ changed: { remarks } });
});

test("what exists is not created twice, and whoever was overtaken hears by whom and when", async ({ running }) => {
  const { ask } = running;
  await ask("ResourceService/CreateResource", { resource: role });
  const again = await ask("ResourceService/CreateResource", { resource: role });
  expect(again.status).toBe(409);
  expect(again.body).toMatchObject({ code: "already_exists", details: [{ debug: { code: "resource-exists" } }] });
  const changed = { ...role, metadata: { name: "upgrader", revision: "7" } };
  const overtaken = await ask("ResourceService/UpsertResource", { resource: changed });
  expect(overtaken.body).toMatchObject({
    code: "aborted",
    message: "role upgrader is not what it was when it was read: root@auth1 changed it at 2026-01-05T12:00:00Z",
  });
});

test("of many faults the first are told, and the rest counted", async ({ running }) => {
  const typos = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`spek${index}`, 1]));
  const answer = await running.ask("ResourceService/UpsertResource", { resource: { ...role, ...typos } });
  expect(answer.body).toMatchObject({ message: "the role is not taken: it has 2000 faults, and these are the first 50" });
  expect(JSON.stringify(answer.body).match(/unknown key/g)).toHaveLength(50);
});

const bearer = { kind: "user", version: "v2", metadata: { name: "anna" }, spec: { roles: ["upgrader"] } };
const creating: readonly [string, object] = ["ResourceService/UpsertResource", { resource: bearer }];
const deleting: readonly [string, object] = ["ResourceService/DeleteResource", { kind: "role", name: "upgrader" }];

test.each([
  ["created", "while the role is being deleted", creating, deleting, "request-refused"],
  ["not created", "once the role is deleted", deleting, creating, "resource-invalid"],
])("a user who names a role is %s %s", async (_what, _when, first, second, code) => {
  let beforeCommit: (() => Promise<unknown>) | undefined;
  await using running = await startRunning({
    storeFor: (store) => ({
      ...store,
      commit: async (commit) => {
        const before = beforeCommit;
        beforeCommit = undefined;
        await before?.();
        return store.commit(commit);
      },
    }),
  });
  await running.ask("ResourceService/CreateResource", { resource: role });
  beforeCommit = async () => expect((await running.ask(...first)).status).toBe(200);
  expect((await running.ask(...second)).body).toMatchObject({ details: [{ debug: { code } }] });
  const [user, named] = await Promise.all([
    running.store.get({ kind: "user", name: "anna" }),
    running.store.get({ kind: "role", name: "upgrader" }),
  ]);
  expect(user === undefined).toBe(named === undefined);
});

test("a key of a connector that nobody knows is shown to root alone who asks for it, and is in no audit", async ({ running }) => {
  const { ask } = running;
  const github = {
    kind: "github",
    metadata: { name: "ours" },
    spec: {
      client_id: "c",
      redirect_url: "https://proxy.example.com/v1/webapi/github/callback",
      apiKey: "hush",
      teams_to_roles: [],
    },
  };
  await ask("ResourceService/CreateResource", { resource: github });
  const named = { kind: "github", name: "ours" };
  const [shown, whole, audit] = [
    await ask("ResourceService/GetResource", named),
    await ask("ResourceService/GetResource", { ...named, withSecrets: true }),
    await ask("AuditService/ListEvents", {}),
  ];
  for (const { body } of [shown, audit]) {
    expect(JSON.stringify(body)).toContain("client_id");
    expect(JSON.stringify(body)).not.toContain("hush");
  }
  expect(whole.body).toMatchObject({ resource: { spec: github.spec } });
});

test("who was removed is written down beside the store too, for a restore of an older backup", async ({ running }) => {
  const { ask } = running;
  const user = { kind: "user", version: "v2", metadata: { name: "anna" }, spec: { roles: ["auditor"] } };
  await ask("ResourceService/CreateResource", { resource: user });
  await ask("ResourceService/CreateResource", { resource: role });
  for (const [kind, name] of [
    ["user", "anna"],
    ["role", "upgrader"],
  ] as const) {
    expect((await ask("ResourceService/DeleteResource", { kind, name })).status).toBe(200);
  }
  expect(running.removals.all()).toMatchObject([{ kind: "user", name: "anna" }]);
});
