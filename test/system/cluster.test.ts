import { expect, test } from "vitest";
import { tctl as called } from "../../packaging/products/tctl.ts";
import { cluster } from "../../packaging/products/cluster.ts";
import type { Called } from "../../packaging/product.ts";
import { complaints } from "../updater/cli/documented.ts";
import { installBuilt } from "./built-package.ts";
import { clusterFile, clusterPackage, configure, maintenanceRole, pin, runningCluster, shown } from "./cluster/on-host.ts";
import { tctl, tryTctl, unit, unitState, withCluster } from "./cluster/on-host.ts";
import type { Host } from "./lab/host.ts";
import { scenario } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { mainProcess } from "./main-process.ts";

const bookworm = { suite: "bookworm" } as const;

const maintenance = `kind: cluster_maintenance_config
spec:
  agent_upgrades:
    utc_start_hour: 2
    weekdays: [Tue, Thursday]
`;

test(
  "a cluster begins with its file, and root makes a role, a user and a maintenance window as the platform's documents do",
  scenario(withCluster(bookworm), async ({ host }) => {
    await runningCluster(host);
    expect(await unitState(host)).toEqual({ enabled: "enabled", active: "active" });
    const status = await tctl(host, "status");
    expect(status).toMatch(/^Cluster +example\.com\nVersion +15\.\d+\.\d+\nCA pin +sha256:[0-9a-f]{64}\n/);
    expect(await said(host, called, "status", "status")).toMatchObject({ cluster: "example.com", store: "sqlite" });
    expect(
      await host.mustRun(["curl", "--silent", "http://127.0.0.1:3080/v1/webapi/automaticupgrades/channel/default/version"]),
    ).toMatch(/^v15\./);

    await host.write("/root/role.yaml", maintenanceRole);
    await host.write("/root/maintenance.yaml", maintenance);
    expect(await tctl(host, "create", "/root/role.yaml")).toContain('role "maintenance-manager" has been created\n');
    expect(await tctl(host, "create", "/root/maintenance.yaml")).toMatch(
      /^maintenance window has been updated\nIt opens next:\n(?: {2}(?:Tue|Thu) \d{4}-\d\d-\d\d 02:00 UTC\n)+$/,
    );
    expect((await tryTctl(host, "create", "/root/maintenance.yaml")).status).toBe(73);
    expect(await tctl(host, "create", "-f", "/root/maintenance.yaml")).toContain("maintenance window");
    await tctl(host, "users", "add", "alice", "--roles=editor");
    await tctl(host, "users", "update", "alice", "--set-roles=editor,maintenance-manager");
    expect(await said(host, called, "users", "users", "ls")).toMatchObject({
      users: [{ name: "alice", roles: ["editor", "maintenance-manager"] }],
    });
    expect(await tctl(host, "status")).toMatch(/Window +.*02:00/);

    // Nobody has it who was not given it.
    const roles = JSON.parse(await tctl(host, "get", "role", "--format", "json")) as readonly Role[];
    const granting = roles.filter(({ spec }) => JSON.stringify(spec.allow ?? {}).includes("cluster_maintenance_config"));
    expect(granting.map(({ metadata }) => metadata.name)).toEqual(["maintenance-manager"]);
    expect(roles.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(["access", "auditor", "editor"]));
    expect(roles.filter(({ spec }) => JSON.stringify(spec.allow ?? {}).includes('"*"'))).toEqual([]);

    await host.write("/root/wrong.yaml", wrong);
    const refused = await tryTctl(host, "create", "/root/wrong.yaml");
    expect(refused.status).toBe(65);
    for (const found of ["verbs", "weekdays", "utc_start_hour"]) expect(refused.stderr).toContain(found);
    expect(await tctl(host, "get", "role", "--format", "text")).not.toContain("second");
    for (const [name, ...words] of answersToSee) await said(host, called, name, ...words);
    await said(host, cluster, "check", "check");
    await joinedProxy(host);
  }),
);

/** Another installation of the same package: it has its own directory, and finds auth by its address. */
async function joinedProxy(host: Host): Promise<void> {
  await tctl(host, "tokens", "add", "--type=proxy", "--out=/root/token");
  await host.write("/root/proxy.yaml", "svc: {data_dir: /root/proxy}\nproxy_service: {public_addr: proxy.example.com}\n");
  const joining = ["--config", "/root/proxy.yaml", "--auth-server", "127.0.0.1:3025", "--token", "/root/token"];
  const joined = await said(host, cluster, "join", "join", ...joining, "--ca-pin", await pin(host));
  expect(joined).toMatchObject({ is_new: true, cluster: "example.com", kind: "proxy" });
  const { instance } = joined as { readonly instance: string };
  expect(await tctl(host, "instances", "ls", "--kind=proxy")).toContain(instance);
  await tctl(host, "instances", "rm", instance);
  expect(await tctl(host, "instances", "ls")).not.toContain(instance);
}

type Role = { readonly metadata: { readonly name: string }; readonly spec: { readonly allow?: unknown } };

/** Three faults, one in the second document. */
const wrong = `${maintenanceRole.replace("maintenance-manager", "second").replace("delete]", "destroy]")}---
${maintenance.replace("Tue,", "Tuesdy,").replace(": 2", ": 24")}`;

const answersToSee = [
  ["token", "tokens", "add", "--type=node"],
  ["tokens", "tokens", "ls"],
  ["instances", "instances", "ls"],
  ["audit", "audit", "ls"],
  ["backup", "backup", "/root/seen"],
  ["version", "version"],
] as const;

/** The answer in JSON, which agrees with the schema that is shipped. */
async function said(host: Host, program: Called, schema: string, ...words: readonly string[]): Promise<unknown> {
  const json = program.program === "tctl" ? ["--format", "json"] : ["--json"];
  const answer: unknown = JSON.parse(await host.mustRun([program.program, ...words, ...json]));
  expect([words, ...complaints(schema, answer, program)]).toEqual([words]);
  return answer;
}

test(
  "only root may administer the cluster, nobody else reads its keys, and no secret is where others look",
  scenario(withCluster(bookworm), async ({ host }) => {
    await runningCluster(host);
    const ordinary = { user: "ordinary" } as const;
    for (const words of [["status"], ["get", "role"], ["backup", "/tmp/backup"]] as const) {
      const refused = await host.run(["tctl", ...words], ordinary);

      expect([words, refused.status, refused.stdout]).toEqual([words, 77, ""]);
      expect(refused.stderr).toContain("\nnext: on the auth host: `systemctl status svc`, and `sudo tctl …`;");
    }
    expect((await host.run(["test", "-e", "/tmp/backup"])).status).toBe(1);
    const readable = "find /var/lib/svc -readable 2>/dev/null; cat /var/lib/svc/auth/cluster.db 2>/dev/null";
    expect((await host.run(["sh", "-c", readable], ordinary)).stdout).toBe("");
    expect(await host.mustRun(["find", "/var/lib/svc", "!", "-user", "svc"])).toBe("");
    expect(await host.mustRun(["find", "/var/lib/svc", "-perm", "/077", "!", "-type", "s"])).toBe("");

    // A token, the store's key and the process lists while they are made.
    const watching = host.mustRun(["sh", "-c", watch]);
    const made = await tctl(host, "tokens", "add", "--type=proxy");
    const token = /^ {2}([0-9a-f]{64})$/m.exec(made)?.[1] ?? "none";
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    await tctl(host, "tokens", "add", "--type=proxy", "--out=/root/token");
    const kept = (await host.read("/root/token")).trim();
    expect(await host.mustRun(["stat", "--format=%a %U", "/root/token"])).toBe("600 root\n");
    const told = await tctl(host, "backup", "/root/backup");
    expect(await host.mustRun(["stat", "--format=%a %U", "/root/backup"])).toBe("600 root\n");
    const backup = await host.read("/root/backup");
    const key = /"private_key":"(?:-----BEGIN[^"]*?KEY-----)?(?:\\n)?([A-Za-z0-9+/]{40})/.exec(backup)?.[1] ?? "none";
    expect(key).not.toBe("none");
    const secrets = [token, kept, key, "PRIVATE KEY"];
    await host.mustRun(["touch", "/run/enough"]);
    const places = {
      journal: await host.mustRun(["journalctl", "--no-pager", "--quiet", "--output=json", `--unit=${unit}`]),
      processes: await watching,
      audit: await tctl(host, "audit", "ls", "--format", "json"),
      "the backup's messages": told,
      "what get shows": await tctl(host, "get", "all"),
      environment: await host.mustRun(["sh", "-c", `tr '\\0' '\\n' </proc/${await mainProcess(host, unit)}/environ`]),
    };
    for (const [place, text] of Object.entries(places)) {
      expect([place, text.length > 0, secrets.filter((secret) => text.includes(secret))]).toEqual([place, true, []]);
    }
    // It is in the store's file, for svc and root: what is looked for would be found.
    expect(backup).toContain(key);
  }),
);

/** Every command line and environment that there is, until somebody says that it is enough. */
const watch =
  "until [ -e /run/enough ]; do cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ; done 2>/dev/null | tr '\\0' '\\n' | sort -u";

test(
  "a reload takes the new file or fails and changes nothing, by systemctl and by the signal",
  scenario(withCluster(bookworm), async ({ host }) => {
    await runningCluster(host);
    const served = async (): Promise<string> =>
      (
        await host.mustRun(["curl", "--silent", "http://127.0.0.1:3080/v1/webapi/automaticupgrades/channel/default/version"])
      ).trim();
    const before = await mainProcess(host, unit);
    await configure(host, clusterFile("version: v15.4.6"));
    await host.mustRun(["systemctl", "reload", unit]);
    expect(await served()).toBe("v15.4.6");

    await configure(host, clusterFile("version: latest", "web_listen_adr: 0.0.0.0:3080"));
    expect((await host.run(["systemctl", "reload", unit])).status).not.toBe(0);
    expect(await served()).toBe("v15.4.6");
    expect(await unitState(host)).toEqual({ enabled: "enabled", active: "active" });
    const checked = await host.run(["svc", "check"]);
    expect(checked.status).toBe(78);
    for (const found of ["latest", "web_listen_addr?"]) expect(checked.stderr).toContain(found);

    await host.mustRun(["sh", "-c", 'kill -HUP "$(cat /run/svc.pid)"']);
    await until("the journal tells of it", 30_000, async () =>
      (await host.journal(unit)).includes("nothing was changed: ") ? true : undefined,
    );
    await configure(host, clusterFile("version: v15.4.7"));
    await host.mustRun(["sh", "-c", 'kill -HUP "$(cat /run/svc.pid)"']);
    await until("the new file counts", 30_000, async () => ((await served()) === "v15.4.7" ? true : undefined));
    expect(await mainProcess(host, unit)).toBe(before);
  }),
);

test(
  "the cluster outlives a kill, an upgrade of its package while it runs, and comes back out of a backup as it was then",
  scenario(withCluster(bookworm), async ({ host }) => {
    await runningCluster(host);
    await host.write("/root/role.yaml", maintenanceRole);
    await tctl(host, "create", "/root/role.yaml");
    const known = await pin(host);

    const killed = await mainProcess(host, unit);
    await host.mustRun(["kill", "-KILL", String(killed)]);
    await until("it serves again", 60_000, async () =>
      (await shown(host, "NRestarts")) === "1" && (await unitState(host)).active === "active" ? true : undefined,
    );
    expect(await pin(host)).toBe(known);
    expect(await tctl(host, "get", "role/maintenance-manager")).toContain("cluster_maintenance_config");

    await installBuilt(host, clusterPackage);
    expect(await mainProcess(host, unit)).not.toBe(killed);
    expect(await pin(host)).toBe(known);
    expect(await tctl(host, "get", "role/maintenance-manager")).toContain("cluster_maintenance_config");

    await tctl(host, "backup", "/root/backup");
    await tctl(host, "users", "add", "late", "--roles=editor");
    const early = await tryTctl(host, "restore", "/root/backup");
    expect(early.status).not.toBe(0);
    expect(early.stderr).toContain("systemctl stop svc");
    await host.mustRun(["systemctl", "stop", unit]);
    await tctl(host, "restore", "/root/backup");
    expect(await host.mustRun(["find", "/var/lib/svc", "!", "-user", "svc"])).toBe("");
    await host.mustRun(["systemctl", "start", unit]);
    expect(await pin(host)).toBe(known);
    expect(await tctl(host, "get", "role/maintenance-manager")).toContain("cluster_maintenance_config");
    expect(await tctl(host, "users", "ls")).not.toContain("late");

    // A host that has never run one: the directory is there, and is svc's.
    await host.mustRun(["systemctl", "stop", unit]);
    await host.mustRun(["sh", "-c", "rm -r /var/lib/svc/* && chmod 0700 /var/lib/svc"]);
    await tctl(host, "restore", "/root/backup");
    await host.mustRun(["systemctl", "start", unit]);
    expect(await pin(host)).toBe(known);
  }),
);
