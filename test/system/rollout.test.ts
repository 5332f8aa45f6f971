import { describe, expect, test } from "vitest";
import { builtPackage, formatOf } from "./built-package.ts";
import { clusterPackage, configure, tctl } from "./cluster/on-host.ts";
import { buildAgent } from "./lab/agent.ts";
import { makeAuthority } from "./lab/certificate.ts";
import type { Host } from "./lab/host.ts";
import { installPackage, refreshLists } from "./lab/package-tools.ts";
import { scenario } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { configure as configureUpdater, runNow, withUpdater } from "./updater.ts";

const longestMs = 60_000;
const proxy = "proxy.test";

function rolloutTo(target: string): string {
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
`;
}

type Rollout = { readonly state: string; readonly told: string; readonly failed: readonly { readonly fault: string }[] };

async function rollout(host: Host): Promise<Rollout> {
  return (JSON.parse(await tctl(host, "rollout", "status", "default", "--format", "json")) as { readonly rollout: Rollout })
    .rollout;
}

async function begin(host: Host, target: string): Promise<void> {
  await host.write("/root/rollout.yaml", rolloutTo(target));
  await tctl(host, "create", "-f", "/root/rollout.yaml");
  // The proxy asks for auth's word every two seconds.
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

      await begin(host, "v15.4.6");
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
