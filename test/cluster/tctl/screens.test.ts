import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect } from "vitest";
import type { JsonObject } from "../../../src/cluster/storage/port.ts";
import { monday } from "../auth/running.ts";
import { beInBerlin, maintenance, role, said, timeless, type Tctl, testTctl as it } from "./running.ts";

beInBerlin();

/** UPDATE_GOLDEN=1 writes what was said; read the difference before it is committed. */
function expectScreen(name: string, screen: string): void {
  const path = join(import.meta.dirname, "screens", `${name}.txt`);
  if (process.env["UPDATE_GOLDEN"] !== undefined) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, screen);
  }
  expect(screen).toEqual(readFileSync(path, "utf8"));
}

/** Everything that is typed, with what is said to it, as it stands on the terminal. */
async function session(on: Tctl, lines: readonly (readonly string[])[]): Promise<string> {
  let screen = "";
  for (const line of lines) {
    const came = await on.tctl(...line);
    const typed = line.map((word) => word.replaceAll(on.directory, "DIR")).join(" ");
    screen += `$ tctl ${typed}\n${timeless(came, on)}${came.status === 0 ? "" : `[${came.status}]\n`}`;
  }
  return screen;
}

const outside = { kind: "stay", why: "outside-window", until: monday + 14 * 3600 };
const kept = {
  kind: "unit",
  package: "svc-ent",
  channel: "stable/cloud",
  installed: "15.4.5",
  served: "15.4.6",
  window: "schedule",
};

/** Of hosts that have joined an hour ago, what their rows say. No report: it never sent one. */
const reported: readonly { readonly row: object; readonly report?: object }[] = [
  {
    row: { hostname: "web1" },
    report: {
      hostname: "web1",
      at: monday - 60,
      os: { id: "debian", version_id: "12" },
      updater: { ...kept, decision: outside },
    },
  },
  { row: { hostname: "web2" }, report: { hostname: "web2", at: monday - 2400, updater: { ...kept, kind: "off" } } },
  { row: { hostname: "web3" }, report: { hostname: "web3", at: monday - 3000, goodbye: true } },
  {
    row: { hostname: "web4" },
    report: { hostname: "web4", at: monday, os: { id: "arch" }, updater: { ...kept, step: "install" } },
  },
  {
    row: { hostname: "web5" },
    report: {
      hostname: "web5",
      at: monday - 120,
      version: "16.0.1",
      updater: {
        ...kept,
        window: "setting",
        outcome: { kind: "undone", version: "15.4.6", fault: "unhealthy-after", at: monday - 7200 },
        rejected: ["15.4.6"],
        held: true,
        looked: monday - 120,
      },
    },
  },
  { row: { hostname: "proxy1", kind: "proxy", services: ["proxy"] } },
];

async function putUsedUp({ store }: Tctl): Promise<void> {
  const digest = `0123456789abcdef${"0".repeat(48)}`;
  const row = { digest, type: "proxy", expires: monday + 3600, uses: 1, used: 1, created_by: "root@auth1", created: monday };
  const item = { kind: "token", name: "0123456789abcdef" };
  await store.commit({
    at: monday,
    by: "test",
    changes: [{ kind: "put", item, body: row, expect: { kind: "absent" } }],
    audit: [],
  });
}

async function putReported({ store }: Tctl, index: number, { row, report }: (typeof reported)[number]): Promise<void> {
  // They stand before auth's own, which is drawn.
  const name = `00000000-0000-4000-8000-00000000000${index}`;
  const joined = monday - 3600;
  const instance = {
    kind: "node",
    services: ["node"],
    version: "15.4.5",
    key: `sha256:${"0".repeat(64)}`,
    issued: "1",
    joined,
    renewed: joined,
    certificate_until: monday + 86_400,
    token: "0123456789abcdef",
    ...row,
  };
  const last = { boot_id: "boot", counter: 1, services: ["node"], version: "15.4.5", ...report };
  const bodies: readonly (readonly [kind: string, body: object])[] = [
    ["instance", instance],
    ...(report === undefined ? [] : [["report", last] as const]),
  ];
  const changes = bodies.map(([kind, body]) => ({
    kind: "put" as const,
    item: { kind, name },
    body: body as JsonObject,
    expect: { kind: "absent" as const },
  }));
  await store.commit({ at: joined, by: "test", changes, audit: [] });
}

const bad = `kind: role
metadata:
  name: x
spec:
  allow:
    rules:
      - resources: [cluster_maintenance_conf]
        verbs: [create, reed]
---
kind: cluster_maintenance_config
spec:
  agent_upgrades:
    utc_start_hour: 25
    weekday: [Tue]
`;

describe("what tctl says", () => {
  it("is the same as before from the first look to the first window", async ({ on }) => {
    const both = on.file("role.yaml", `${role}---\n${maintenance}`);
    const again = on.file("again.yaml", maintenance.replace("2", "3"));
    const screen = await session(on, [
      ["status"],
      ["create", both],
      ["create", both],
      ["create", "-f", both],
      ["create", "-f", again],
      ["get", "role/maintenance-manager"],
      ["get", "cmc", "--format", "json"],
      ["get", "role,user", "--format=text"],
      ["rm", "role/maintenance-manager"],
      ["rm", "cluster_maintenance_config"],
      ["status"],
      ["audit", "ls"],
    ]);
    expectScreen("resources", screen);
  });

  it("is the same as before of users", async ({ on }) => {
    const screen = await session(on, [
      ["users", "ls"],
      ["users", "add", "alice", "--roles=editor"],
      ["users", "add", "alice", "--roles=editor"],
      ["users", "update", "alice", "--set-roles=editor,auditor"],
      ["users", "update", "bob", "--set-roles=editor"],
      ["users", "add", "bob", "--roles=edtor"],
      ["users", "add", "bob", "--roles="],
      ["users", "add", "b b", "--roles=editor"],
      ["users", "add", "bob"],
      ["users", "update", "bob", "--set-role=editor"],
      ["users", "add", "bob", "--roles=editor", "--ttl=8d"],
      ["users", "ls"],
      ["users", "rm", "alice"],
      ["users", "rm", "alice"],
      ["users"],
    ]);
    expectScreen("users", screen);
  });

  it("is the same as before of tokens and instances", async ({ on }) => {
    const out = join(on.directory, "token");
    const before = await session(on, [["tokens", "ls"]]);
    await putUsedUp(on);
    const screen = await session(on, [
      ["tokens", "ls"],
      ["tokens", "rm", "0123456789abcdef"],
      ["tokens", "add", "--type=proxy"],
      ["tokens", "add", "--type=node", "--ttl=2d", "--uses=20", "--labels=env=canary,site=b", "--ephemeral", `--out=${out}`],
      ["tokens", "add", "--type=node", `--out=${out}`],
      ["tokens", "add", "--type=nod"],
      ["tokens", "add"],
      ["tokens", "add", "--type=node", "--ttl=tomorrow"],
      ["tokens", "add", "--type=node", "--ttl=90d"],
      ["tokens", "add", "--type=node", "--uses=0"],
      ["tokens", "add", "--type=node", "--labels=env"],
      ["tokens", "rm", "my-token"],
      ["tokens", "rm", "0123456789abcdef"],
      ["instances", "ls"],
      ["instances", "ls", "--kind=proxy"],
      ["instances", "label", "web1", "env=prod"],
      ["instances", "label", "0b9d7c1e-5f0a-4a7b-9a51-3f0e6a1c2d44", "env"],
      ["instances", "label", "0b9d7c1e-5f0a-4a7b-9a51-3f0e6a1c2d44", "env=prod", "site="],
      ["instances", "rm", "web1"],
      ["instances", "rm", "0b9d7c1e-5f0a-4a7b-9a51-3f0e6a1c2d44"],
      ["audit", "ls", "--event=token.created", "--limit=1"],
      ["audit", "ls", "--event=token"],
      ["audit", "ls", "--since=now"],
      ["audit", "ls", "--kind=rollout"],
      ["audit", "ls", "--limit=many"],
    ]);
    // Of two tokens the name is another in every run, and so is their order.
    expectScreen("tokens", before + screen);
  });

  it("is the same as before of the inventory", async ({ on }) => {
    for (const [index, changes] of reported.entries()) await putReported(on, index, changes);
    const screen = await session(on, [
      ["status"],
      ["inventory", "ls"],
      ["inventory", "ls", "--upgrader=none"],
      ["inventory", "ls", "--wide"],
      ["inventory", "show", "web1"],
      ["inventory", "show", "web2"],
      ["inventory", "show", "web5"],
      ["inventory", "show", "web9"],
      ["inventory", "ls", "--upgrader=kube"],
      ["inventory", "ls", "--lagging", "--older-than=v15.4.6", "--why=outside-window", "--channel=stable/cloud"],
      ["inventory", "ls", "--label=env=prod", "--version=1.0.0"],
      ["inventory", "ls", "--label=prod"],
      ["inventory", "ls", "--older-than=new"],
      ["inventory", "ls", "--upgrader=cron"],
      ["inventory"],
      ["create", on.file("maintenance.yaml", maintenance)],
      ["status"],
    ]);
    expectScreen("inventory", screen);
    const { out } = await on.tctl("inventory", "ls", "--format=json");
    const { instances } = JSON.parse(out) as {
      readonly instances: readonly { readonly hostname: string; readonly silent: boolean; readonly os?: object }[];
    };
    // Reports of earlier releases have no system.
    expect(instances.map(({ os }) => os).filter((os) => os !== undefined)).toEqual([
      { id: "debian", version_id: "12" },
      { id: "arch", version_id: "" },
    ]);
    expect(instances.filter(({ silent }) => silent).map(({ hostname }) => hostname)).toEqual(["web2", "proxy1"]);
  });

  it("names every mistake, and what to type next", async ({ on }) => {
    const screen = await session(on, [
      ["create", on.file("bad.yaml", bad)],
      ["create", join(on.directory, "nowhere.yaml")],
      ["create", on.directory],
      ["create", on.file("empty.yaml", "# nothing yet\n")],
      ["create"],
      ["get", "rol/x"],
      ["get", "role/x"],
      ["get", "tokens"],
      ["get", "role/a b"],
      ["get", "cluster_maintenance_config/"],
      ["audit", "ls", "--kind=nonsense"],
      ["get"],
      ["rm", "role"],
      ["rm", "role/editor"],
      ["edit", "user"],
      ["stats"],
      ["get", "role", "--format=xml"],
      ["backup", on.file("there", "")],
    ]);
    expectScreen("mistakes", screen);
  });

  it("is the same as before without auth", async () => {
    const elsewhere = await said(["status", "-c", join(import.meta.dirname, "nowhere.yaml")]);
    expect(elsewhere.status).toBe(78);
    expect(elsewhere.error).toContain("nowhere.yaml does not exist");
    const help = await said(["--help"]);
    expectScreen("help", help.out);
    const lines = help.out.split("\n");
    expect(lines.length).toBeLessThanOrEqual(49);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});
