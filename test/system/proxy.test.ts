import { describe, expect, test } from "vitest";
import { agentProcess, buildAgent, installAgent } from "./lab/agent.ts";
import type { Suite } from "./lab/base.ts";
import { scenario } from "./lab/scenario.ts";
import { startSquid, startTinyproxy, type StartProxy } from "./lab/proxy.ts";
import { until } from "./lab/until.ts";
import { behindProxy, proxyUrl, setVariables, type ProxiedStage } from "./behind-proxy.ts";
import { configure, hurryTimer, installedVersion, installUpdater, schedule, stopTimer, tick } from "./updater.ts";

const credentials = { user: "fleet", password: "s3cret-Pass" };

type Row = {
  readonly title: string;
  readonly suite: Suite;
  readonly start: StartProxy;
  readonly scheme: "http" | "https";
};

const rows: readonly Row[] = [
  { title: "squid, which wants user and password", suite: "bookworm", start: startSquid, scheme: "http" },
  { title: "tinyproxy", suite: "bookworm", start: startTinyproxy, scheme: "http" },
  { title: "squid's https port", suite: "bookworm", start: startSquid, scheme: "https" },
  { title: "squid's https port, on the oldest systemd and apt", suite: "bullseye", start: startSquid, scheme: "https" },
  { title: "tinyproxy, on the newest systemd and apt", suite: "trixie", start: startTinyproxy, scheme: "http" },
];

function serverOf(url: string): string {
  return new URL(url).host;
}

/** Each hop once more, in the proxy's own words. */
async function proveHops({ proxy, versions, repositories: [plain, secure] }: ProxiedStage): Promise<void> {
  const asked = await proxy.requests();
  expect(asked).toContain(`CONNECT ${serverOf(versions.httpsEndpoint)}`);
  expect(asked).toContain(`CONNECT ${serverOf(secure.url)}`);
  expect(asked).toContain(`GET ${plain.url}/dists/stable/InRelease`);
  // Nothing came to the servers but through the proxy: its own log has as many package hops as they had callers.
  expect(plain.server.requests.some(({ path }) => path.endsWith("/InRelease"))).toBe(true);
  expect(secure.server.requests.some(({ path }) => path.endsWith("/InRelease"))).toBe(true);
}

describe.each(rows)("a host with no way out but $title", ({ suite, start, scheme }) => {
  test(
    "is looked at and upgraded from the timer through it, and sends no packet elsewhere",
    behindProxy({ suite, start, scheme, credentials }, async (stage) => {
      const { host, proxy, wall, versions } = stage;
      const url = proxyUrl(scheme, proxy, credentials);
      await setVariables(host, { HTTPS_PROXY: url, HTTP_PROXY: url });

      const dry = await host.run(["svc-upgrade", "dry-run"]);
      expect(dry.stdout).toBe("an upgrade is available (15.4.5 -> 15.4.6)\n");
      expect(dry.status).toBe(0);
      const route = await host.run(["svc-upgrade", "route"]);
      expect(route.stdout).toBe(`proxy ${scheme}://proxy.test:${proxy.port} (HTTPS_PROXY in /etc/default/svc)\n`);

      await hurryTimer(host);
      await until("the timer's pass upgrades", 60_000, async () =>
        (await installedVersion(host)) === "15.4.6" ? true : undefined,
      );
      await stopTimer(host);
      expect((await agentProcess(host))?.speaks).toContain("15.4.6");

      await proveHops(stage);
      const { door, elsewhere } = await wall.counted();
      expect(door).toBeGreaterThan(0);
      expect(elsewhere).toBe(0);
      // The name is known to the proxy alone.
      expect((await host.run(["getent", "hosts", new URL(versions.httpsEndpoint).hostname])).status).not.toBe(0);
    }),
  );
});

const bookworm = { suite: "bookworm", start: startSquid, scheme: "http", credentials } as const;

describe("the same host without the variables", () => {
  test(
    "says within its deadlines that it reaches nothing, and what may be missing, and tries again by itself",
    behindProxy(bookworm, async ({ host, proxy, wall }) => {
      const startedMs = performance.now();
      const dry = await host.run(["svc-upgrade", "dry-run"]);
      expect(performance.now() - startedMs).toBeLessThan(30_000);
      expect([dry.status, dry.stdout]).toEqual([75, ""]);
      expect(dry.stderr).toMatch(/outer\.test:\d+\/\S* cannot be reached directly \(no HTTPS_PROXY is set\): no name server/);
      expect(dry.stderr).toContain("if this host needs a proxy, set HTTPS_PROXY in /etc/default/svc");
      expect(await tick(host)).toBe(75);
      expect(await host.journal("svc-upgrade.service")).toContain("no HTTPS_PROXY is set");
      expect(await proxy.requests()).toEqual([]);
      // It was the wall that kept it in, so the wall counts.
      expect((await wall.counted()).elsewhere).toBeGreaterThan(0);
      expect(await installedVersion(host)).toBe("15.4.5");
    }),
  );
});

describe("the package hop", () => {
  const hops: readonly { readonly noProxy: string; readonly source: "name" | "address"; readonly through: boolean }[] = [
    { noProxy: "10.0.0.0/8", source: "address", through: false },
    { noProxy: "192.168.0.0/16", source: "address", through: true },
    { noProxy: "outer.test", source: "name", through: false },
    // To apt itself the end of a name is enough.
    { noProxy: "er.test", source: "name", through: true },
    { noProxy: "outer.test:9", source: "name", through: true },
    { noProxy: "OUTER.test:PORT", source: "name", through: false },
  ];
  for (const { noProxy, source, through } of hops) {
    test(
      `goes by NO_PROXY=${noProxy} as every other hop does`,
      scenario({ suite: "bookworm" }, async ({ host, repository, versions }) => {
        await repository.publish(await buildAgent(host, { version: "15.4.5" }), await buildAgent(host, { version: "15.4.6" }));
        await installAgent(host, "15.4.5");
        versions.serve("default", { version: "v15.4.6" });
        await installUpdater(host);
        await configure(host, `endpoint: ${versions.httpEndpoint}\nallow_plain_http: true\n`);
        await schedule(host, "open");
        const { outerAddress } = host.network;
        const squid = await startSquid(host, { credentials, outerTest: outerAddress });
        await host.write("/etc/hosts", `127.0.0.1 localhost agent-host\n${outerAddress} outer.test proxy.test\n`);
        const port = new URL(repository.url).port;
        const url = source === "name" ? repository.url : `http://${outerAddress}:${port}`;
        await host.mustRun(["sed", "-i", `s,${repository.url},${url},`, repository.sourcesFile]);
        await host.mustRun(["apt-get", "update"]);
        await setVariables(host, {
          HTTP_PROXY: proxyUrl("http", squid, credentials),
          NO_PROXY: `unrelated.example, ${noProxy.replace("PORT", port)}`,
          // What apt would follow by itself is not what counts.
          no_proxy: "*,outer.test",
        });
        const route = await host.run(["svc-upgrade", "route", `${url}/dists`]);
        expect(route.stdout.split(" ")[0]).toBe(through ? "proxy" : "direct");
        expect(await tick(host)).toBe(0);
        expect(await installedVersion(host)).toBe("15.4.6");
        const packages = (await squid.requests()).filter((asked) => asked.startsWith(`GET ${url}/`));
        if (through) expect(packages).toContain(`GET ${url}/dists/stable/InRelease`);
        else expect(packages).toEqual([]);
      }),
    );
  }

  test(
    "keeps the proxy that an admin gave to apt itself, where no variable speaks of http",
    behindProxy(bookworm, async ({ host, proxy, wall, repositories: [plain, secure] }) => {
      await host.mustRun(["rm", secure.sourcesFile]);
      const url = proxyUrl("http", proxy, credentials);
      await setVariables(host, { HTTPS_PROXY: url });
      await host.write("/etc/apt/apt.conf.d/99proxy", `Acquire::http::Proxy "${url}";\n`, { mode: "0600" });
      expect(await tick(host)).toBe(0);
      expect(await installedVersion(host)).toBe("15.4.6");
      expect(await proxy.requests()).toContain(`GET ${plain.url}/dists/stable/InRelease`);
      expect((await wall.counted()).elsewhere).toBe(0);
    }),
  );

  test(
    "takes the variables' proxy before one that an admin gave to apt itself",
    behindProxy(bookworm, async ({ host, proxy, wall, repositories: [plain] }) => {
      const url = proxyUrl("http", proxy, credentials);
      await setVariables(host, { HTTPS_PROXY: url, HTTP_PROXY: url });
      const dead = "http://10.255.255.1:3128";
      await host.write(
        "/etc/apt/apt.conf.d/99proxy",
        `Acquire::http::Proxy "${dead}";\nAcquire::http::Proxy::outer.test "${dead}";\nAcquire::https::Proxy::outer.test "DIRECT";\n`,
      );
      expect(await tick(host)).toBe(0);
      expect(await installedVersion(host)).toBe("15.4.6");
      expect(await proxy.requests()).toContain(`GET ${plain.url}/dists/stable/InRelease`);
      expect((await wall.counted()).elsewhere).toBe(0);
    }),
  );
});
