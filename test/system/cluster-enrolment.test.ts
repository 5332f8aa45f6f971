import { join } from "node:path";
import { expect, test } from "vitest";
import { versionOf } from "../../packaging/project.ts";
import { codeAt, parseBase32, stepAt } from "../../src/cluster/identity/one-time-code.ts";
import { builtPackage, formatOf } from "./built-package.ts";
import { clusterFile, clusterPackage, configure, maintenanceRole, pin, tctl, unit, withCluster } from "./cluster/on-host.ts";
import { makeAuthority } from "./lab/certificate.ts";
import type { Host } from "./lab/host.ts";
import { bootPrepared } from "./lab/prepared.ts";
import type { ProgramResult } from "./lab/program.ts";
import { relay } from "./lab/relay.ts";
import { scenario, withJournal } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { updaterPackage } from "./updater.ts";

const bookworm = { suite: "bookworm" } as const;
const version = versionOf("svc");
const script = join(import.meta.dirname, "../../packaging/install.sh");
const longestMs = 60_000;
const password = "correct horse battery staple";
/** Until a code that was typed has been looked at. */
const longestSignInSeconds = 10;

const maintenance = `kind: cluster_maintenance_config
spec:
  agent_upgrades:
    utc_start_hour: 2
    weekdays: [Sun, Mon, Tuesday, Wed, Thursday, Fri, Sat]
`;

/** The agent's row: its id, name, service, version and upgrader. */
const agent = /^[0-9a-f-]{36} +\S+ +node +\S+ +none$/m;
const enrolled = /^[0-9a-f-]{36} +\S+ +node +\S+ +unit$/m;

type Status = { readonly active: { readonly username: string; readonly roles: readonly string[] } };

/** Auth and a proxy; agents and people reach the proxy at this address. */
async function startCluster(cluster: Host, host: Host): Promise<string> {
  const authority = await makeAuthority(`${cluster.directory}/authority`);
  const { key, cert } = await authority.issue("proxy", ["DNS:outer.test"]);
  await cluster.write("/etc/ssl/proxy.key", key, { owner: "root:svc", mode: "0640" });
  await cluster.write("/etc/ssl/proxy.pem", cert);
  await authority.trustIn(host);
  const proxy = `outer.test:${await relay(host, { host: cluster, port: 443 })}`;
  const pair = "https_keypairs: [{key_file: /etc/ssl/proxy.key, cert_file: /etc/ssl/proxy.pem}]";
  const text = clusterFile("web_listen_addr: 0.0.0.0:443", pair).replace("proxy.example.com", proxy);
  await configure(cluster, text.replace("cluster_name:", "report_interval: 1s\n  cluster_name:"));
  await cluster.mustRun(["systemctl", "enable", "--now", "--quiet", unit]);
  return proxy;
}

/** An agent that nobody updates. */
async function joinAgent(host: Host, cluster: Host, proxy: string): Promise<void> {
  await configure(host, `svc:\n  proxy_server: ${proxy}\n`);
  await tctl(cluster, "tokens", "add", "--type=node", "--out=/root/svc-token");
  await host.write("/root/svc-token", await cluster.read("/root/svc-token"), { mode: "0600" });
  const where = ["--auth-server", proxy, "--token", "/root/svc-token", "--ca-pin", await pin(cluster)];
  await host.mustRun(["svc", "join", ...where]);
  await host.mustRun(["systemctl", "enable", "--now", "--quiet", unit]);
}

type Person = {
  readonly types: (...words: readonly string[]) => Promise<string>;
  readonly signIn: () => Promise<void>;
};

const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

/** Somebody at a computer that is not auth's, by the link that root has made for them. */
async function invited(
  host: Host,
  link: string,
  { user, proxy }: { readonly user: string; readonly proxy: string },
): Promise<Person> {
  const attempt = (words: readonly string[], input = ""): Promise<ProgramResult> =>
    host.run(["tsh", ...words, "--password-file=-"], { user: "ordinary", input });
  const types = (...words: readonly string[]): Promise<string> => host.mustRun(words, { user: "ordinary" });
  // Without a password it shows the secret, and the link stays good.
  const shown = await attempt(["invite", link]);
  const secret = parseBase32(/or type it in: +([A-Z2-7]+)/.exec(shown.stdout)?.[1] ?? "");
  if (secret === undefined) throw new Error(`tsh invite shows no secret: ${shown.stdout}${shown.stderr}`);
  // Each code is good once, and those around the present are taken: of these the first that will still be one when it is looked at.
  let step = 0;
  const withCode = async (...words: readonly string[]): Promise<void> => {
    step = Math.max(step + 1, stepAt(nowInSeconds() + longestSignInSeconds) - 1);
    await expect.poll(() => stepAt(nowInSeconds()) + 1, { timeout: 60_000 }).toBeGreaterThanOrEqual(step);
    const { status, stderr } = await attempt(words, `${password}\n${codeAt(secret, step)}\n`);
    expect([words, status, stderr]).toEqual([words, 0, ""]);
  };
  await withCode("invite", link);
  return { types, signIn: () => withCode("login", `--proxy=${proxy}`, `--user=${user}`) };
}

test(
  "enrols an agent word by word as the platform's documents have it: role, window, inventory, version, install script, dry run",
  scenario(withCluster(bookworm), async ({ host, repository }) => {
    const cluster = await bootPrepared(withCluster(bookworm));
    try {
      const proxy = await startCluster(cluster, host);
      await joinAgent(host, cluster, proxy);
      await repository.publish(await builtPackage(clusterPackage, formatOf(host.family)), await updaterPackage("deb"));
      const added = await tctl(cluster, "users", "add", "alice", "--roles=editor");
      const alice = await invited(host, /https:\/\/\S+/.exec(added)?.[0] ?? "none", { user: "alice", proxy });
      await alice.signIn();

      await cluster.write("/root/role.yaml", maintenanceRole);
      expect(await tctl(cluster, "create", "/root/role.yaml")).toContain('role "maintenance-manager" has been created\n');
      const { active } = JSON.parse(await alice.types("tsh", "status", "-f", "json")) as Status;
      expect(active).toMatchObject({ username: "alice", roles: ["editor"] });
      await host.write("/home/ordinary/maintenance.yaml", maintenance);
      const early = await host.run(["tctl", "create", "/home/ordinary/maintenance.yaml"], { user: "ordinary" });
      expect([early.status, early.stderr]).toEqual([77, expect.stringContaining("cluster_maintenance_config")]);
      const roles = [...active.roles, "maintenance-manager"].join(",");
      await tctl(cluster, "users", "update", active.username, "--set-roles", roles);
      await alice.types("tsh", "logout");
      await alice.signIn();
      expect(JSON.parse(await alice.types("tsh", "status", "-f", "json"))).toMatchObject({ active: { roles: roles.split(",") } });
      expect(await alice.types("tctl", "create", "/home/ordinary/maintenance.yaml")).toContain(
        "maintenance window has been updated\n",
      );

      const listed = await alice.types("tctl", "inventory", "ls", "--upgrader=none");
      expect(listed.split("\n")[0]).toMatch(/^Server ID +Hostname +Services +Version +Upgrader$/);
      expect(listed).toMatch(agent);

      const shell = (line: string): Promise<string> => host.mustRun(["sh", "-c", line]);
      const channel = `https://${proxy}/v1/webapi/automaticupgrades/channel/default/version`;
      expect(await shell(`curl -fsS ${channel}`)).toBe(`v${version}\n`);
      await host.copyIn(script, "/root/install.sh");
      const installed = await shell(`version=$(curl -fsS ${channel}) && sh /root/install.sh "\${version#v}" enterprise`);
      expect(installed).toContain(`svc-ent ${version} is installed already\n`);
      expect(await shell("svc version")).toContain(version);
      await shell("mkdir -p /etc/svc-upgrade.d && touch /etc/svc-upgrade.d/schedule && chown svc /etc/svc-upgrade.d/schedule");
      expect(await shell("svc-upgrade dry-run")).toBe(`no upgrades available (${version} == ${version})\n`);

      await until("the agent is enrolled", longestMs, async () =>
        agent.test(await alice.types("tctl", "inventory", "ls", "--upgrader=none")) ? undefined : true,
      );
      expect(await alice.types("tctl", "inventory", "ls")).toMatch(enrolled);
      expect(await shell("svc-upgrade schedule")).toContain("02:00");
    } catch (failure) {
      throw await withJournal(cluster, failure);
    } finally {
      await cluster.stop();
    }
  }),
);
