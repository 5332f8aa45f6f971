import { describe, expect, test } from "vitest";
import { behindProxy, proxyUrl, setVariables } from "./behind-proxy.ts";
import { buildAgent, installAgent } from "./lab/agent.ts";
import { startSquid } from "./lab/proxy.ts";
import { scenario } from "./lab/scenario.ts";
import { lastPass } from "./moves.ts";
import { configure, installedVersion, schedule, tick, withUpdater } from "./updater.ts";

const credentials = { user: "fleet", password: "s3cret-Pass" };

const bookworm = { suite: "bookworm", start: startSquid, scheme: "http", credentials } as const;

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
      scenario(withUpdater({ suite: "bookworm" }), async ({ host, repository, versions }) => {
        await repository.publish(await buildAgent(host, { version: "15.4.5" }), await buildAgent(host, { version: "15.4.6" }));
        await installAgent(host, "15.4.5");
        versions.serve("default", { version: "v15.4.6" });
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
    "is never gone past the proxy, whatever somebody puts in the place of the file that names it",
    behindProxy(bookworm, async ({ host, proxy, wall, repositories, versions }) => {
      const file = "/etc/default/svc";
      const takeAway = (): Promise<string> => host.mustRun(["sh", "-c", `mv ${file} /root/svc && mkdir ${file}`]);
      const putBack = (): Promise<string> => host.mustRun(["sh", "-c", `rmdir ${file} && mv /root/svc ${file}`]);
      const url = proxyUrl("http", proxy, credentials);
      await setVariables(host, { HTTPS_PROXY: url, HTTP_PROXY: url });
      await configure(host, "health: {settle: 1s}\n", "60-settle");

      // Nobody has read it yet.
      await takeAway();
      expect(await tick(host)).toBe(75);
      expect((await lastPass(host)).outcome.fault).toMatchObject({ code: "proxies-unread" });
      await putBack();
      await schedule(host, "closed");
      expect(await tick(host)).toBe(0);

      // The pass has, and the acting unit has not.
      await takeAway();
      await schedule(host, "open");
      expect(await tick(host)).toBe(75);
      const { outcome } = await lastPass(host);
      expect(outcome).toMatchObject({ kind: "failed", fault: { code: "proxies-unread" } });
      expect(await installedVersion(host)).toBe("15.4.5");
      await putBack();
      // What failed waits, else, before it is tried again.
      await host.mustRun(["svc-upgrade", "retry"]);
      expect(await tick(host)).toBe(0);
      expect(await installedVersion(host)).toBe("15.4.6");

      const next = await buildAgent(host, { version: "15.4.7" });
      for (const repository of repositories) await repository.publish(next);
      versions.serve("default", { version: "v15.4.7" });
      await takeAway();
      expect(await tick(host)).toBe(0);
      expect(await installedVersion(host)).toBe("15.4.7");
      expect(await host.journal("svc-upgrade.service")).not.toContain(credentials.password);
      expect((await wall.counted()).elsewhere).toBe(0);
    }),
  );
});
