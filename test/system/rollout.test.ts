import { describe, expect, test } from "vitest";
import { builtPackage, formatOf } from "./built-package.ts";
import { clusterPackage, configure, pin, tctl, unit, withCluster } from "./cluster/on-host.ts";
import { buildAgent } from "./lab/agent.ts";
import { makeAuthority } from "./lab/certificate.ts";
import type { Host } from "./lab/host.ts";
import { installPackage, refreshLists } from "./lab/package-tools.ts";
import { bootPrepared } from "./lab/prepared.ts";
import { relay } from "./lab/relay.ts";
import { scenario, stageOn, withJournal, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { configure as configureUpdater, hurryTimer, runNow, withUpdater } from "./updater.ts";

const longestMs = 60_000;
const proxy = "proxy.test";

function rolloutTo(target: string, more = ""): string {
  return `kind: rollout
version: v1
metadata: {name: agents}
spec:
  channel: default
  target: ${target}
  stages:
    - {name: canary, select: {labels: {env: canary}}, soak: 1s}
    - {name: rest, select: others, soak: 1s}
  prove: 1s
${more}`;
}

type Rollout = { readonly state: string; readonly told: string; readonly failed: readonly { readonly fault: string }[] };

async function rollout(host: Host): Promise<Rollout> {
  return (JSON.parse(await tctl(host, "rollout", "status", "default", "--format", "json")) as { readonly rollout: Rollout })
    .rollout;
}

async function begin(host: Host, target: string, more = ""): Promise<void> {
  await host.write("/root/rollout.yaml", rolloutTo(target, more));
  await tctl(host, "create", "-f", "/root/rollout.yaml");
  // Auth looks at rollouts every five seconds, and the proxy hears at once what it decides.
  await until(`the host is told ${target}`, longestMs, async () =>
    (await host.run(["svc-upgrade", "dry-run"])).stdout.includes(target.slice(1)) ? true : undefined,
  );
}

/** Auth and proxy on the host itself, which is the canary. */
async function startCluster(host: Host): Promise<void> {
  const authority = await makeAuthority(`${host.directory}/authority`);
  const { key, cert } = await authority.issue("proxy", [`DNS:${proxy}`]);
  await authority.trustIn(host);
  await host.write("/etc/hosts", `${await host.read("/etc/hosts")}127.0.0.1 ${proxy}\n`);
  await host.write("/etc/ssl/proxy.key", key, { owner: "root:svc", mode: "0640" });
  await host.write("/etc/ssl/proxy.pem", cert);
  await configure(
    host,
    `auth_service: {cluster_name: example.com, report_interval: 1s}
proxy_service:
  public_addr: ${proxy}
  web_listen_addr: 127.0.0.1:443
  https_keypairs: [{key_file: /etc/ssl/proxy.key, cert_file: /etc/ssl/proxy.pem}]
  automatic_upgrades_channels: {default: {static_version: v15.4.5}}
`,
  );
  await host.mustRun(["systemctl", "restart", "svc.service"]);
}

describe.each(["bookworm", "yum"] as const)("a rollout on %s", (suite) => {
  test(
    "halts in the canary stage where the version crashes, and goes on with the next one",
    scenario(withUpdater({ suite }), async ({ host, repository }) => {
      const format = formatOf(host.family);
      await repository.publish(
        await builtPackage(clusterPackage, format),
        await builtPackage(clusterPackage, format, "15.4.6"),
        await buildAgent(host, { version: "15.4.7", start: "crashes-later" }),
      );
      await refreshLists(host);
      await installPackage(host, clusterPackage, "15.4.5");
      await startCluster(host);
      await host.mustRun(["svc-upgrade", "enroll", "--endpoint", `https://${proxy}`]);
      await configureUpdater(host, "health: {settle: 2s}\n");
      const { instances } = JSON.parse(await tctl(host, "instances", "ls", "--format", "json")) as {
        readonly instances: readonly { readonly id: string; readonly kind: string }[];
      };
      for (const { id, kind } of instances) if (kind === "proxy") await tctl(host, "instances", "label", id, "env=canary");

      await begin(host, "v15.4.7");
      await runNow(host);
      expect(await host.mustRun(["svc", "version"])).toBe("svc 15.4.5\n");
      const halted = await until("it halts", longestMs, async () => {
        const found = await rollout(host).catch(() => undefined);
        return found?.state === "halted" ? found : undefined;
      });
      expect(halted).toMatchObject({
        told: expect.stringContaining("halted in canary"),
        failed: [{ stage: "canary", fault: "unhealthy" }],
      });

      await begin(host, "v15.4.6", "  downgrade: yes\n");
      expect((await runNow(host)).status).toBe(0);
      expect(await host.mustRun(["svc", "version"])).toBe("svc 15.4.6\n");
      // The next pass finds it there.
      await runNow(host);
      await until("the canary has proven it", longestMs, async () =>
        (await rollout(host)).told.startsWith("rest selects no host") ? true : undefined,
      );
      await tctl(host, "rollout", "skip", "default", "rest", "--why=there-is-none");
      expect((await rollout(host)).state).toBe("done");
    }),
  );
});

const bookworm = { suite: "bookworm" } as const;

/** Auth and proxy on a host of their own, which others reach at outer.test, each by a port of its own. */
async function startOwnCluster(host: Host, agents: readonly Host[]): Promise<readonly number[]> {
  const authority = await makeAuthority(`${host.directory}/authority`);
  const { key, cert } = await authority.issue("proxy", ["DNS:outer.test"]);
  await host.write("/etc/ssl/proxy.key", key, { owner: "root:svc", mode: "0640" });
  await host.write("/etc/ssl/proxy.pem", cert);
  await Promise.all(agents.map((agent) => authority.trustIn(agent)));
  const ports = await Promise.all(agents.map((agent) => relay(agent, { host, port: 443 })));
  await configure(
    host,
    `auth_service: {cluster_name: example.com, report_interval: 5s}
proxy_service:
  public_addr: outer.test:${ports[0]}
  web_listen_addr: 0.0.0.0:443
  https_keypairs: [{key_file: /etc/ssl/proxy.key, cert_file: /etc/ssl/proxy.pem}]
  automatic_upgrades_channels: {default: {static_version: v15.4.5}}
`,
  );
  await host.mustRun(["systemctl", "enable", "--now", "--quiet", unit]);
  return ports;
}

type Joining = { readonly cluster: Host; readonly port: number; readonly env: string };

/** An agent at 15.4.5 that moves by its timer, in a window that is open. */
async function joinAgent({ host, repository }: Stage, { cluster, port, env }: Joining): Promise<void> {
  const bad = [
    { version: "15.4.7", scripts: "failing" },
    { version: "15.4.8", speaks: "15.4.7" },
    { version: "15.4.9", start: "crashes-late" },
  ] as const;
  await repository.publish(
    await builtPackage(clusterPackage, "deb"),
    await builtPackage(clusterPackage, "deb", "15.4.6"),
    ...(await Promise.all(bad.map((options) => buildAgent(host, options)))),
  );
  await refreshLists(host);
  await installPackage(host, clusterPackage, "15.4.5");
  await tctl(cluster, "tokens", "add", "--type=node", `--labels=env=${env}`, `--out=/root/${env}-token`);
  await host.write("/root/token", await cluster.read(`/root/${env}-token`), { mode: "0600" });
  const address = `outer.test:${port}`;
  await configure(host, `svc: {nodename: ${env}1, proxy_server: "${address}"}\n`);
  await host.mustRun(["svc", "join", "--auth-server", address, "--token", "/root/token", "--ca-pin", await pin(cluster)]);
  await host.mustRun(["systemctl", "enable", "--now", "--quiet", unit]);
  await host.mustRun(["svc-upgrade", "enroll", "--endpoint", `https://${address}`]);
  await host.mustRun(["ln", "-sfn", "/usr/share/zoneinfo/Etc/UTC", "/etc/localtime"]);
  const opened = new Date(Date.now() - 600_000).toISOString().slice(11, 16);
  await configureUpdater(host, `health: {settle: 2s}\nwindow: {start: "${opened}", duration: 2h}\n`);
  await hurryTimer(host);
}

async function create(cluster: Host, target: string): Promise<void> {
  await cluster.write("/root/rollout.yaml", rolloutTo(target));
  await tctl(cluster, "create", "-f", "/root/rollout.yaml");
}

function endOf(cluster: Host, target: string, wanted: string): Promise<Rollout> {
  return until(`the rollout of ${target} is ${wanted}`, 180_000, async () => {
    const found = await rollout(cluster);
    if (!["done", "halted"].includes(found.state)) return undefined;
    if (found.state !== wanted) throw new Error(`the rollout of ${target}: ${found.told}`);
    return found;
  });
}

test(
  "in a cluster of three hosts a good version ends inside the window, and bad ones of each kind halt at the canary",
  scenario(withUpdater(bookworm), async (stage) => {
    const [cluster, other] = await Promise.all([bootPrepared(withCluster(bookworm)), bootPrepared(withUpdater(bookworm))]);
    try {
      const ports = await startOwnCluster(cluster, [stage.host, other]);
      await joinAgent(stage, { cluster, port: ports[0]!, env: "canary" });
      await joinAgent(await stageOn(other), { cluster, port: ports[1]!, env: "prod" });
      const versions = async (): Promise<readonly string[]> => [
        await stage.host.mustRun(["svc", "version"]),
        await other.mustRun(["svc", "version"]),
      ];

      await create(cluster, "v15.4.6");
      await endOf(cluster, "v15.4.6", "done");
      expect(await versions()).toEqual(["svc 15.4.6\n", "svc 15.4.6\n"]);

      for (const [target, fault] of [
        ["v15.4.7", "install-failed"],
        ["v15.4.8", "verify-failed"],
        ["v15.4.9", "silent"],
      ] as const) {
        await create(cluster, target);
        expect(await endOf(cluster, target, "halted")).toMatchObject({
          told: expect.stringContaining("halted in canary"),
          failed: [{ stage: "canary", hostname: "canary1", fault }],
        });
        // What failed by itself has gone back by itself. An agent that died later cannot report.
        if (fault !== "silent") expect(await versions()).toEqual(["svc 15.4.6\n", "svc 15.4.6\n"]);
      }
      expect(await other.mustRun(["svc", "version"])).toBe("svc 15.4.6\n");
      expect(await other.mustRun(["svc-upgrade", "history"])).not.toMatch(/15\.4\.[789]/);
      expect(await tctl(cluster, "rollout", "status", "default")).toMatch(/canary +moving +1 +0 +0 +0 +0 +1/);
    } catch (failure) {
      throw await withJournal(cluster, failure);
    } finally {
      await Promise.all([cluster.stop(), other.stop()]);
    }
  }),
);
