import { describe, expect, test } from "vitest";
import { buildAgent, installAgent, runInsideAgent, type AgentOptions } from "./lab/agent.ts";
import { suites } from "./lab/base.ts";
import { scenario } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";

/** The servers and packages that the scenarios rest on. */

describe("what stands around a host", () => {
  test(
    "answers for the channel, by http and by https once the authority is trusted",
    scenario({ suite: "bookworm" }, async (stage) => {
      const { host, versions } = stage;
      versions.serve("stable/cloud", { version: "v15.4.6\n", critical: { status: 503, body: "later" } });
      const path = "/v1/webapi/automaticupgrades/channel/stable/cloud";
      const curl = ["curl", "--silent", "--show-error", "--write-out", " %{http_code}"];
      expect(await host.mustRun([...curl, `${versions.httpEndpoint}${path}/version`])).toBe("v15.4.6\n 200");
      expect(await host.mustRun([...curl, `${versions.httpEndpoint}${path}/critical`])).toBe("later 503");
      expect((await host.run([...curl, `${versions.httpsEndpoint}${path}/version`])).status).toBe(60);
      await versions.authority.trustIn(host);
      expect(await host.mustRun([...curl, `${versions.httpsEndpoint}${path}/version`])).toBe("v15.4.6\n 200");
      expect(versions.http.requests.map(({ status }) => status)).toEqual([200, 503]);

      await versions.http.goDown();
      expect((await host.run([...curl, `${versions.httpEndpoint}${path}/version`])).status).toBe(7);
      await versions.http.comeUp();
      await host.network.cable("out");
      expect((await host.run([...curl, `${versions.httpEndpoint}${path}/version`])).status).not.toBe(0);
      await host.network.cable("in");
      expect(await host.mustRun([...curl, `${versions.httpEndpoint}${path}/version`])).toBe("v15.4.6\n 200");
    }),
  );

  describe.each(suites)("%s", (suite) => {
    test(
      "has a repository whose signature and packages can be broken and mended",
      scenario({ suite }, async ({ host, repository }) => {
        const preview: AgentOptions = { version: "15.5.0-rc.1", packageVersion: "5:15.5.0~rc.1-1" };
        await repository.publish(await buildAgent(host, { version: "15.4.5" }), await buildAgent(host, preview));
        await host.mustRun(["apt-get", "update"]);
        expect(await host.mustRun(["apt-cache", "madison", "svc-ent"])).toContain("5:15.5.0~rc.1-1");
        for (const signature of ["missing", "unknown-key", "altered"] as const) {
          await repository.sign(signature);
          const told = await host.run(["apt-get", "update"]);
          expect(`${signature}: ${told.stdout}${told.stderr}`).toMatch(
            /no longer signed|not signed|NO_PUBKEY|manipulated|Missing key|BADSIG|invalid|Bad signature/i,
          );
        }
        await repository.sign("good");
        expect((await host.run(["apt-get", "update"])).stderr).toBe("");
        await repository.alter("svc-ent", "15.4.5");
        expect((await host.run(["apt-get", "install", "-y", "svc-ent=15.4.5"])).status).toBe(100);
        await repository.withdraw("svc-ent", "15.4.5");
        await host.mustRun(["apt-get", "update"]);
        expect(await host.mustRun(["apt-cache", "madison", "svc-ent"])).not.toContain("15.4.5");
      }),
    );
  });

  test(
    "has agents that fail in each of their ways",
    scenario({ suite: "bookworm" }, async ({ host, repository }) => {
      const versions: readonly AgentOptions[] = [
        { version: "15.4.5", conffiles: { "/etc/svc.yaml": "svc: {}\n" } },
        { version: "15.4.6", scripts: "failing" },
        { version: "15.4.7", scripts: "restart", start: "crashes" },
        { version: "15.4.8", speaks: "15.4.1" },
        { version: "15.4.9", binary: "not-executable" },
      ];
      for (const version of versions) await repository.publish(await buildAgent(host, version));
      await installAgent(host, "15.4.5");
      const installs = (version: string) => host.run(["apt-get", "install", "-y", "-q", `svc-ent=${version}`]);

      await runInsideAgent(host, "cat /proc/self/cgroup >/root/where");
      await until("the line to be run", 30_000, async () =>
        (await host.read("/root/where").catch(() => "")) === "" ? undefined : true,
      );
      expect(await host.read("/root/where")).toContain("/system.slice/svc.service");

      expect((await installs("15.4.6")).status).toBe(100);
      expect(await host.mustRun(["dpkg-query", "--show", "--showformat=${Status}", "svc-ent"])).toBe(
        "install ok half-configured",
      );
      expect((await installs("15.4.7")).status).toBe(0);
      expect(await host.journal("svc.service")).toContain("cannot start version=15.4.7");
      expect((await installs("15.4.8")).status).toBe(0);
      expect(await host.mustRun(["svc", "version"])).toContain(" v15.4.1 ");
      expect((await installs("15.4.9")).status).toBe(0);
      expect((await host.run(["sh", "-c", "/usr/bin/svc version"])).status).toBe(126);
    }),
  );
});
