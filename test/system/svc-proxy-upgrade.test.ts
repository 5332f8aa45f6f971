import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { installBuilt } from "./built-package.ts";
import { makeAuthority } from "./lab/certificate.ts";
import type { Host } from "./lab/host.ts";
import { removePackage } from "./lab/package-tools.ts";
import { scenario } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { mainProcess } from "./main-process.ts";
import { askInLoop, type Asking, type Loop } from "./server/asker.ts";
import {
  channelPath,
  clusterAt,
  clusterFile,
  configureServer,
  served,
  serverPackage,
  socket,
  startServer,
  unit,
  unitState,
  withServer,
} from "./server/on-host.ts";

const path = `${channelPath("default")}/version`;

/** TLS as the server itself speaks it, for a name that clients believe. */
async function withCertificate(host: Host): Promise<Asking> {
  const authority = await makeAuthority(join(host.directory, "authority"));
  const { key, cert } = await authority.issue("server", ["DNS:outer.test"]);
  await host.write("/etc/svc/key.pem", key);
  await host.write("/etc/svc/cert.pem", cert);
  await configureServer(
    host,
    clusterFile("https_keypairs: [{key_file: /etc/svc/key.pem, cert_file: /etc/svc/cert.pem}]", "version: v15.4.6"),
  );
  return { url: `https://${host.network.innerAddress}:3080${path}`, ca: await readFile(authority.caFile, "utf8") };
}

/** Clients of both kinds, while something happens to the server. */
async function heardOver(asking: Asking, acts: readonly (() => Promise<unknown>)[]): Promise<readonly string[]> {
  const loops: readonly Loop[] = [askInLoop({ ...asking, connections: "fresh" }, 6), askInLoop(asking, 3)];
  const more = (questions: number): Promise<unknown> =>
    Promise.all(
      loops.map(({ count }) => {
        const wanted = count() + questions;
        return until(`${questions} more questions`, 120_000, () => (count() >= wanted ? true : undefined));
      }),
    );
  await more(100);
  for (const act of acts) {
    await act();
    await more(100);
  }
  await Promise.all(loops.map(({ stop }) => stop()));
  return loops.flatMap(({ heard }) => [...heard.keys()]).map((told) => told.replace(/,"channels":"[^"]*"/, ""));
}

const good = JSON.stringify({ status: 200, body: "v15.4.6\n" });

describe.each(["bullseye", "bookworm", "trixie", "yum", "zypper"] as const)("svc-proxy with its socket on %s", (suite) => {
  test(
    "turns nobody away and cuts nobody off while it is upgraded, restarted and reloaded, with TLS",
    scenario(withServer({ suite }), async ({ host }) => {
      const asking = await withCertificate(host);
      await host.mustRun(["systemctl", "enable", "--now", "--quiet", socket]);
      await startServer(host);
      const processes = [await mainProcess(host, unit)];
      const note = async (): Promise<unknown> => processes.push(await mainProcess(host, unit));
      const heard = await heardOver(asking, [
        () => installBuilt(host, serverPackage),
        note,
        () => host.mustRun(["systemctl", "restart", unit]),
        note,
        () => host.mustRun(["systemctl", "restart", unit]),
        note,
        () => host.mustRun(["systemctl", "reload", unit]),
      ]);
      expect(new Set(heard)).toEqual(new Set([good]));
      expect(new Set(processes).size).toBe(4);
      expect(await host.journal(unit)).toContain('serving address="svc-proxy.socket, port 3080"');
    }),
  );
});

describe.each(["bullseye", "yum"] as const)("an upgrade of svc-proxy on %s", (suite) => {
  test(
    "leaves the server alone that the new version would not start, says so, and ends well",
    scenario(withServer({ suite }), async ({ host }) => {
      await configureServer(host, clusterAt("v15.4.6"));
      await startServer(host);
      const before = await mainProcess(host, unit);
      await configureServer(host, clusterFile("version: v15.4.6", "automatic_upgrades_channels: [none, at, all]"));
      const told = await installBuilt(host, serverPackage);
      expect(told).toContain("svc-proxy.service was not restarted: it serves on as the version before");
      expect(told).toContain("proxy_service.automatic_upgrades_channels");
      expect([await mainProcess(host, unit), await served(host)]).toEqual([before, "v15.4.6"]);

      await configureServer(host, clusterAt("v15.4.7"));
      await host.mustRun(["systemctl", "restart", unit]);
      expect([await served(host), await unitState(host)]).toEqual(["v15.4.7", { enabled: "enabled", active: "active" }]);
    }),
  );

  test(
    "asks as the unit's own user: a key that this user may not read any more does not end the server",
    scenario(withServer({ suite }), async ({ host }) => {
      const { url } = await withCertificate(host);
      await startServer(host);
      const before = await mainProcess(host, unit);
      await host.mustRun(["chmod", "0600", "/etc/svc/key.pem"]);
      expect(await installBuilt(host, serverPackage)).toContain("svc-proxy.service was not restarted");
      expect(await mainProcess(host, unit)).toBe(before);
      expect(await host.mustRun(["curl", "--silent", "--insecure", url.replace(host.network.innerAddress, "127.0.0.1")])).toBe(
        "v15.4.6\n",
      );
    }),
  );

  test(
    "leaves masks and what is stopped as they are, and a server that comes back after its removal is as it was enabled",
    scenario(withServer({ suite }), async ({ host }) => {
      await configureServer(host, clusterAt("v15.4.6"));
      await startServer(host);
      await host.mustRun(["systemctl", "stop", unit]);
      await installBuilt(host, serverPackage);
      expect(await unitState(host)).toEqual({ enabled: "enabled", active: "inactive" });

      await removePackage(host, serverPackage);
      await installBuilt(host, serverPackage);
      // Debian's packages remember it until they are purged, the others follow the host's presets.
      const [back, kept] = host.family === "apt" ? ["enabled", "active"] : ["disabled", "inactive"];
      expect(await unitState(host)).toEqual({ enabled: back, active: kept });

      await host.mustRun(["systemctl", "mask", "--now", socket, unit]);
      await installBuilt(host, serverPackage);
      await removePackage(host, serverPackage);
      await installBuilt(host, serverPackage);
      expect(await unitState(host)).toEqual({ enabled: "masked", active: "inactive" });
    }),
  );
});
