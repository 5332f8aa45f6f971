import { expect, test } from "vitest";
import { proxyUrl, setVariables } from "./behind-proxy.ts";
import { buildAgent } from "./lab/agent.ts";
import { makeAuthority, type Authority } from "./lab/certificate.ts";
import type { Host } from "./lab/host.ts";
import { bootPrepared } from "./lab/prepared.ts";
import { proxyName, startSquid, type LabProxy } from "./lab/proxy.ts";
import { relay } from "./lab/relay.ts";
import { scenario, withJournal } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { expectRunning, lastPass } from "./moves.ts";
import { startInstance, type Instance } from "./server/instance.ts";
import { channelPath, clusterFile, configureServer, dropIn, startServer, unit, withServer } from "./server/on-host.ts";
import { configure, outdatedHost, schedule, tick, withUpdater } from "./updater.ts";

const bookworm = { suite: "bookworm" } as const;
const credentials = { user: "fleet", password: "s3cret-Pass" };
const channel = "stable/cloud";

type Front = { readonly host: Host; readonly back: Instance; readonly squid: LabProxy; readonly authority: Authority };

/**
 * svc-proxy on port 443 of a host of its own, whose only way out is squid; it forwards the channel to a second one, which only
 * squid reaches, and whose certificate is another authority's. What is secret is open to one group alone.
 */
async function startFront(host: Host): Promise<Front> {
  const [authority, others] = [
    await makeAuthority(`${host.directory}/authority`),
    await makeAuthority(`${host.directory}/others`),
  ];
  const [own, certificate] = [await authority.issue("front", ["DNS:outer.test"]), await others.issue("back", ["DNS:outer.test"])];
  const back = await startInstance(host, { name: "back", channels: "{stable/cloud: {static_version: v15.4.6}}", certificate });
  const squid = await startSquid(host, { credentials, onlyPort: back.port });
  await host.write("/etc/hosts", `127.0.0.1 localhost\n${host.network.outerAddress} ${proxyName}\n`);
  await setVariables(host, { HTTPS_PROXY: proxyUrl("http", squid, credentials) });

  await host.mustRun(["groupadd", "--system", "ssl-cert"]);
  await dropIn(host, "SupplementaryGroups=ssl-cert");
  const closed = { owner: "root:ssl-cert", mode: "0640" };
  await host.write("/etc/ssl/front.key", own.key, closed);
  await host.write("/etc/ssl/front.pem", own.cert);
  await host.copyIn(others.caFile, "/etc/ssl/others.pem");
  const forwardUrl = `https://outer.test:${back.port}${channelPath(channel)}`;
  await configureServer(
    host,
    clusterFile(
      "web_listen_addr: 0.0.0.0:443",
      "https_keypairs: [{key_file: /etc/ssl/front.key, cert_file: /etc/ssl/front.pem}]",
      `automatic_upgrades_channels: {${channel}: {forward_url: "${forwardUrl}"}}`,
      "automatic_upgrades_forwarding: {ca_file: /etc/ssl/others.pem}",
    ),
  );
  await host.mustRun(["sh", "-c", `chown ${closed.owner} /etc/svc.yaml && chmod ${closed.mode} /etc/svc.yaml`]);
  await startServer(host);
  return { host, back, squid, authority };
}

/** Asks every upstream now, and not within a minute; then its state is as wanted. */
async function askAgain({ host }: Front, state: "fresh" | "stale"): Promise<void> {
  await host.mustRun(["systemctl", "reload", unit]);
  await until(`the upstream to be ${state}`, 60_000, async () => {
    const { stdout } = await host.enter(["curl", "--silent", "http://127.0.0.1:3081/readyz"]);
    return stdout.includes(`"${channel}":"${state}"`) ? true : undefined;
  });
}

test(
  "a host follows a channel that svc-proxy forwards through squid from a second one, by TLS all the way, and a second one that dies breaks nothing",
  scenario(withUpdater(bookworm), async (stage) => {
    const { host, repository } = stage;
    await outdatedHost(stage);
    await repository.publish(await buildAgent(host, { version: "15.4.7" }));
    const frontHost = await bootPrepared(withServer(bookworm));
    try {
      const front = await startFront(frontHost);
      const port = await relay(host, { host: frontHost, port: 443 });
      await host.copyIn(front.authority.caFile, "/etc/svc-upgrade/cluster.pem");
      const settings = [`endpoint: https://outer.test:${port}`, `channel: ${channel}`, "ca_file: /etc/svc-upgrade/cluster.pem"];
      await configure(host, [...settings, "health: {settle: 1s}", ""].join("\n"));

      await schedule(host, "open");
      expect(await tick(host)).toBe(0);
      await expectRunning(host, "15.4.6");

      await schedule(host, "closed");
      await front.back.reload("{stable/cloud: {static_version: v15.4.7, critical: yes}}");
      await askAgain(front, "fresh");
      expect(await tick(host)).toBe(0);
      expect((await lastPass(host)).decision).toMatchObject({ kind: "move", why: "critical" });
      await expectRunning(host, "15.4.7");

      await front.back.end("SIGKILL");
      await askAgain(front, "stale");
      expect(await tick(host)).toBe(0);
      expect((await lastPass(host)).decision).toMatchObject({ kind: "stay", why: "current" });
      const dryRun = await host.run(["svc-upgrade", "dry-run"]);
      expect([dryRun.status, dryRun.stdout]).toEqual([0, "no upgrades available (15.4.7 == 15.4.7)\n"]);
      // Squid notes a tunnel when it is closed.
      expect(new Set(await front.squid.requests())).toEqual(new Set([`CONNECT outer.test:${front.back.port}`]));
    } catch (failure) {
      throw await withJournal(frontHost, failure);
    } finally {
      await frontHost.stop();
    }
  }),
);
