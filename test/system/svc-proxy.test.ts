import { describe, expect, test } from "vitest";
import { projectVersion } from "../../packaging/project.ts";
import { builtPackage, formatOf, installBuilt } from "./built-package.ts";
import type { Host } from "./lab/host.ts";
import { installPackage, refreshLists, removePackage } from "./lab/package-tools.ts";
import { mustRun } from "./lab/program.ts";
import { scenario } from "./lab/scenario.ts";
import { listen } from "./lab/server.ts";
import { until } from "./lab/until.ts";
import { addedSince, listing } from "./left-behind.ts";
import { mainProcess } from "./main-process.ts";
import {
  channelPath,
  clusterAt,
  clusterFile,
  configureServer,
  dropIn,
  metric,
  served,
  serverPackage,
  serverUrl,
  shown,
  startServer,
  unit,
  unitState,
  withServer,
} from "./server/on-host.ts";
import { exposureOf } from "./sandbox/exposure.ts";
import { installProbe, probeFreely, probeUnit } from "./sandbox/probe.ts";

const bookworm = { suite: "bookworm" } as const;

async function runningServer(host: Host, text: string = clusterAt("v15.4.6")): Promise<void> {
  await configureServer(host, text);
  await startServer(host);
}

describe.each(["bullseye", "yum"] as const)("the package svc-proxy on %s", (suite) => {
  test(
    "comes by the package manager, starts nothing, and says once what is missing where it is started without a configuration",
    scenario({ suite }, async ({ host, repository }) => {
      await repository.publish(await builtPackage(serverPackage, formatOf(host.family)));
      await refreshLists(host);
      await installPackage(host, serverPackage, projectVersion);
      expect(await unitState(host)).toEqual({ enabled: "disabled", active: "inactive" });
      expect((await host.run(["systemctl", "start", unit])).status).not.toBe(0);
      expect(await host.journal(unit)).toContain(
        "there is no file /etc/svc.yaml; write it, as /usr/share/doc/svc-proxy/docs/server.md shows",
      );
      expect(await unitState(host)).toEqual({ enabled: "disabled", active: "failed" });
      expect([await shown(host, "ExecMainStatus"), await shown(host, "NRestarts")]).toEqual(["78", "0"]);
    }),
  );

  test(
    "brings a unit that systemd understands and finds little exposed, each of it explained",
    scenario(withServer({ suite }), async ({ host }) => {
      const path = `/usr/lib/systemd/system/${unit}`;
      const verified = await host.run(["systemd-analyze", "verify", "--man=no", path]);
      expect(verified).toMatchObject({ status: 0, stdout: "", stderr: "" });
      const { level, unexplained } = await exposureOf(host, unit);
      expect(level).toBeLessThanOrEqual(1.6);
      expect(unexplained).toEqual([]);
    }),
  );

  test(
    "keeps the kernel's rings from whoever takes the server over",
    scenario(withServer({ suite }), async ({ host }) => {
      await configureServer(host, clusterAt("v15.4.6"));
      await installProbe(host);
      const channel = { address: host.network.innerAddress, port: 3080 };
      const probed = { unit, pids: ["1", "1"] as const, channel, loopbackPort: 3081 };
      const rings = ["make-ring", "enter-ring", "register-ring"];
      const freely = await probeFreely(host, probed);
      expect(rings.map((name) => freely.get(name))).toEqual([["allowed"], ["allowed"], ["allowed"]]);
      const found = await probeUnit(host, { ...probed, settings: ["Type=oneshot", "Restart=no"] });
      expect(rings.map((name) => found.get(name))).toEqual([["EPERM"], ["EPERM"], ["EPERM"]]);
    }),
  );

  test(
    "restarts the server at an upgrade where it runs, and only there",
    scenario(withServer({ suite }), async ({ host }) => {
      await configureServer(host, clusterAt("v15.4.6"));
      await installBuilt(host, serverPackage);
      expect(await unitState(host)).toEqual({ enabled: "disabled", active: "inactive" });
      await startServer(host);
      const before = await mainProcess(host, unit);
      await installBuilt(host, serverPackage);
      expect(await unitState(host)).toEqual({ enabled: "enabled", active: "active" });
      const after = await mainProcess(host, unit);
      expect(after).not.toBe(before);
      expect(await host.mustRun(["readlink", `/proc/${after}/exe`])).toBe("/usr/bin/svc-proxy\n");
      expect(await served(host)).toBe("v15.4.6");
    }),
  );

  test(
    "stops the server at its removal, and leaves nothing but the cluster's own file",
    scenario({ suite }, async ({ host }) => {
      const before = await listing(host);
      await installBuilt(host, serverPackage);
      await runningServer(host);
      await removePackage(host, serverPackage);
      await expect(served(host)).rejects.toThrow("fetch failed");
      expect(await host.mustRun(["systemctl", "list-units", "--all", "--no-legend", "svc-proxy*"])).toBe("");
      if (host.family === "apt") await host.mustRun(["dpkg", "--purge", serverPackage]);
      expect(await addedSince(host, before)).toEqual(["/etc/svc.yaml"]);
    }),
  );
});

describe("svc-proxy.service", () => {
  test(
    "is active only once it listens, as a user that there was not before",
    scenario(withServer(bookworm), async ({ host }) => {
      await runningServer(host);
      expect(await unitState(host)).toEqual({ enabled: "enabled", active: "active" });
      // An admin who restarts it so often is told to wait.
      const ask = `systemctl reset-failed ${unit}; systemctl restart ${unit} && exec curl --silent --show-error --fail ${serverUrl(host)}${channelPath("default")}/version`;
      for (let starts = 0; starts < 10; starts += 1) expect(await host.mustRun(["sh", "-c", ask])).toBe("v15.4.6\n");
      expect(await host.journal(unit)).not.toContain("systemd was not told");
      const owner = await host.mustRun(["stat", "--format=%u", `/proc/${await mainProcess(host, unit)}`]);
      expect(Number(owner)).toBeGreaterThanOrEqual(61_184);
      expect((await host.read("/etc/passwd")).includes("svc-proxy")).toBe(false);
    }),
  );

  test(
    "is not active while somebody else has its port, and comes by itself when the port is free",
    scenario(withServer(bookworm), async ({ host }) => {
      const take =
        'use IO::Socket::INET; my $held = IO::Socket::INET->new(LocalAddr => "0.0.0.0:3080", Listen => 9) or die; sleep';
      await host.write("/root/take.pl", `${take};\n`);
      await host.mustRun(["systemd-run", "--quiet", "--unit=other", "perl", "/root/take.pl"]);
      await until("the port to be taken", 10_000, async () =>
        (await host.enter(["ss", "-ltnH", "sport", "=", ":3080"])).stdout === "" ? undefined : true,
      );
      await configureServer(host, clusterAt("v15.4.6"));
      await host.mustRun(["systemctl", "start", "--no-block", unit]);
      await until("it says what is wrong", 30_000, async () =>
        (await host.journal(unit)).includes("cannot listen on 0.0.0.0:3080 (web_listen_addr): ") ? true : undefined,
      );
      expect((await unitState(host)).active).not.toBe("active");
      expect(await host.journal(unit)).toContain("`ss -ltnp sport = :3080` shows who listens there");
      await host.mustRun(["systemctl", "stop", "other"]);
      await until("it listens", 60_000, async () => ((await unitState(host)).active === "active" ? true : undefined));
      expect(await served(host)).toBe("v15.4.6");
    }),
  );

  test(
    "serves other versions once a reload has ended; where the new file is wrong the reload has failed, and it serves what it served",
    scenario(withServer(bookworm), async ({ host }) => {
      await runningServer(host);
      const before = await mainProcess(host, unit);
      await configureServer(host, clusterAt("v15.4.7"));
      await host.mustRun(["systemctl", "reload", unit]);
      expect(await served(host)).toBe("v15.4.7");

      await configureServer(host, clusterFile("version: latest", "static_versoin: 1"));
      expect((await host.run(["systemctl", "reload", unit])).status).not.toBe(0);
      const told = await until("the journal tells of it", 30_000, async () => {
        const lines = await host.journal(unit);
        return lines.includes("nothing was changed: ") ? lines : undefined;
      });
      expect(told).toContain('/etc/svc.yaml: proxy_service.version: "latest" (allowed: a version');
      expect(await served(host)).toBe("v15.4.7");
      expect([(await unitState(host)).active, await mainProcess(host, unit)]).toEqual(["active", before]);
    }),
  );

  test(
    "feeds its watchdog, and is started again where it hangs",
    scenario(withServer(bookworm), async ({ host }) => {
      await dropIn(host, "WatchdogSec=2s\nTimeoutAbortSec=2s\nRestartSec=100ms");
      await runningServer(host);
      const fed = await shown(host, "WatchdogTimestampMonotonic");
      await until("systemd hears of it a few times more", 60_000, async () =>
        Number(await shown(host, "WatchdogTimestampMonotonic")) > Number(fed) + 5_000_000 ? true : undefined,
      );
      expect(await shown(host, "NRestarts")).toBe("0");
      const hung = await mainProcess(host, unit);
      await host.mustRun(["kill", "-STOP", String(hung)]);
      await until("it is started again", 60_000, async () => ((await shown(host, "NRestarts")) === "0" ? undefined : true));
      await until("it listens again", 60_000, async () => ((await unitState(host)).active === "active" ? true : undefined));
      expect(await mainProcess(host, unit)).not.toBe(hung);
      expect(await served(host)).toBe("v15.4.6");
      expect(await host.journal(unit)).toContain("Watchdog timeout");
    }),
  );

  test(
    "answers what it was asked before it stops",
    scenario(withServer(bookworm), async ({ host }) => {
      const gate = Promise.withResolvers<void>();
      const upstream = await listen({ address: host.network.outerAddress }, (request, response) => {
        void gate.promise.then(() => response.end(request.url?.endsWith("/version") === true ? "v15.4.9" : "no"));
      });
      host.atStop(upstream.goDown);
      await configureServer(
        host,
        clusterFile(
          `automatic_upgrades_channels: {slow: {forward_url: "http://outer.test:${upstream.port}/slow"}}`,
          "automatic_upgrades_forwarding: {allow_plain_http: true}",
        ),
      );
      await startServer(host);
      const asked = served(host, "slow");
      await until("the question to be there", 30_000, async () =>
        (await metric(host, "svc_proxy_connections")) === 1 ? true : undefined,
      );
      const stopped = host.mustRun(["systemctl", "stop", unit]);
      await until("the stop to begin", 30_000, async () =>
        (await unitState(host)).active === "deactivating" ? true : undefined,
      );
      gate.resolve();
      expect(await asked).toBe("v15.4.9");
      await stopped;
      expect([(await unitState(host)).active, await shown(host, "Result")]).toEqual(["inactive", "success"]);
    }),
  );
});

test(
  "svc-proxy answers what people type: the version without its v, and ping through jq",
  scenario(withServer(bookworm), async ({ host }) => {
    await runningServer(host, clusterAt("v15.4.6", "{stable/cloud: {static_version: v15.4.7}}"));
    const url = serverUrl(host);
    const typed = (line: string): Promise<string> => mustRun(["sh", "-c", line]);
    const version = `${url}${channelPath("stable/cloud")}/version`;
    expect(await typed(`VERSION="$(curl --fail --silent --show-error ${version} | sed 's/v//')"; printf %s "$VERSION"`)).toBe(
      "15.4.7",
    );
    expect(await typed(`curl --fail --silent ${url}${channelPath("default")}/version | cut -c2-`)).toBe("15.4.6\n");
    const ping = `curl --fail --silent ${url}/webapi/ping`;
    expect(await typed(`${ping} | jq -r .proxy.ssh.public_addr`)).toBe("proxy.example.com:443\n");
    expect(await typed(`${ping} | jq .proxy.tls_routing_enabled`)).toBe("true\n");
    expect((await typed(`${ping} | jq -r '.proxy | keys[]'`)).split("\n").filter((key) => key !== "")).toEqual([
      "db",
      "kube",
      "ssh",
      "tls_routing_enabled",
    ]);
  }),
);
