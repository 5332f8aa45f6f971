import { expect, test } from "vitest";
import { proxyUrl, setVariables } from "./behind-proxy.ts";
import { clusterFile, configure, pin, tctl, unit, withCluster } from "./cluster/on-host.ts";
import { makeAuthority } from "./lab/certificate.ts";
import type { Host } from "./lab/host.ts";
import { bootPrepared } from "./lab/prepared.ts";
import { proxyName, startSquid } from "./lab/proxy.ts";
import { relay } from "./lab/relay.ts";
import { scenario, withJournal } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { buildWall } from "./lab/wall.ts";

const bookworm = { suite: "bookworm" } as const;
const credentials = { user: "fleet", password: "s3cret-Pass" };
const tokenFile = "/root/svc-token";
/** So that a host renews within the test: after half of it, and a fifth of that more at most. */
const life = "20s";

/** Auth and a proxy with one public port. */
async function startCluster(host: Host): Promise<void> {
  const authority = await makeAuthority(`${host.directory}/authority`);
  const own = await authority.issue("proxy", ["DNS:outer.test"]);
  await host.copyIn(authority.caFile, "/root/ca.pem");
  await host.write("/etc/ssl/proxy.key", own.key, { owner: "root:svc", mode: "0640" });
  await host.write("/etc/ssl/proxy.pem", own.cert);
  const pair = "https_keypairs: [{key_file: /etc/ssl/proxy.key, cert_file: /etc/ssl/proxy.pem}]";
  const text = clusterFile("web_listen_addr: 0.0.0.0:443", pair);
  await configure(host, text.replace("cluster_name:", `report_interval: 1s\n  certificate_life: ${life}\n  cluster_name:`));
  await host.mustRun(["systemctl", "enable", "--now", "--quiet", unit]);
}

type Joining = { readonly cluster: Host; readonly at: string; readonly options: readonly string[] };

/** As an admin does who carries the token over. */
async function join(host: Host, { cluster, at, options }: Joining): Promise<string> {
  await tctl(cluster, "tokens", "add", "--type=node", "--uses=1", `--out=${tokenFile}`);
  await host.write(tokenFile, await cluster.read(tokenFile), { mode: "0600" });
  await cluster.mustRun(["rm", tokenFile]);
  const where = ["--auth-server", at, "--token", tokenFile, "--ca-pin", await pin(cluster)];
  const joined = JSON.parse(await host.mustRun(["svc", "join", ...where, ...options, "--json"])) as { readonly instance: string };
  await host.mustRun(["systemctl", "restart", unit]);
  return joined.instance;
}

type Inventory = { readonly instances: readonly { readonly id: string; readonly reported?: string }[] };

/** By auth's clock; later than `after`, where that is given. */
async function reports(cluster: Host, instance: string, after = ""): Promise<string> {
  return until(`${instance} to report`, 60_000, async () => {
    const { instances } = JSON.parse(await tctl(cluster, "inventory", "ls", "--format", "json")) as Inventory;
    const reported = instances.find(({ id }) => id === instance)?.reported;
    return reported !== undefined && reported > after ? reported : undefined;
  });
}

/** Once more than until now. */
async function goesOn(cluster: Host, instance: string): Promise<void> {
  await reports(cluster, instance, await reports(cluster, instance));
}

type Identity = { readonly instance: string; readonly generation: number; readonly privateKey: string };

async function identityOf(host: Host): Promise<Identity> {
  return JSON.parse(await host.read("/var/lib/svc/identity/node.json")) as Identity;
}

/** With another key, and nothing is left of the one before. */
async function renews(cluster: Host, host: Host, before: Identity): Promise<void> {
  const renewed = await until("the certificate to be renewed", 60_000, async () => {
    const now = await identityOf(host);
    return now.generation > before.generation ? now : undefined;
  });
  expect(renewed.instance).toBe(before.instance);
  expect(renewed.privateKey).not.toBe(before.privateKey);
  expect(await host.journal(unit)).toContain("the certificate of this node was renewed");
  await goesOn(cluster, before.instance);
}

/** Every day, some hours from now. */
function maintenance(): string {
  const hour = (new Date().getUTCHours() + 10) % 24;
  return `kind: cluster_maintenance_config\nspec:\n  agent_upgrades:\n    utc_start_hour: ${hour}\n`;
}

test(
  "a host joins, reports and renews its certificate through the one port of its cluster's proxy, also through squid with a password",
  scenario(withCluster(bookworm), async ({ host }) => {
    const cluster = await bootPrepared(withCluster(bookworm));
    try {
      await startCluster(cluster);
      const port = await relay(host, { host: cluster, port: 443 });
      const instance = await join(host, { cluster, at: `${host.network.outerAddress}:${port}`, options: [] });
      await reports(cluster, instance);
      await cluster.write("/root/maintenance.yaml", maintenance());
      await tctl(cluster, "create", "/root/maintenance.yaml");
      await until("the window to be on the host", 60_000, async () =>
        /^\d+ \d+$/m.test(await host.read("/etc/svc-upgrade.d/schedule")) ? true : undefined,
      );
      await renews(cluster, host, await identityOf(host));
      for (const again of ["reload", "restart"]) {
        await host.mustRun(["systemctl", again, unit]);
        await goesOn(cluster, instance);
      }
      await renews(cluster, host, await identityOf(host));
      const answered = ["curl", "-fsS", "--cacert", "/root/ca.pem", "--resolve", "outer.test:443:127.0.0.1"];
      expect(await cluster.mustRun([...answered, "https://outer.test/webapi/ping"])).toContain(
        '"public_addr":"proxy.example.com',
      );

      const squid = await startSquid(host, { credentials, onlyPort: 443, outerTest: cluster.network.innerAddress });
      await buildWall(host, squid.port);
      await host.write("/etc/hosts", `127.0.0.1 localhost agent-host\n${host.network.outerAddress} ${proxyName}\n`);
      await setVariables(host, { HTTPS_PROXY: proxyUrl("http", squid, credentials) });
      await reports(cluster, await join(host, { cluster, at: "outer.test:443", options: ["--replace"] }));
      expect(new Set(await squid.requests())).toEqual(new Set(["CONNECT outer.test:443"]));
      const direct = ["svc", "join", "--auth-server", "outer.test:3025", "--token", tokenFile, "--ca-pin", await pin(cluster)];
      expect((await host.run([...direct, "--replace"])).status).toBe(69);
    } catch (failure) {
      throw await withJournal(cluster, failure);
    } finally {
      await cluster.stop();
    }
  }),
);
