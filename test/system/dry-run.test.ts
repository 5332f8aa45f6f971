import { describe, expect, test } from "vitest";
import { buildAgent, installAgent } from "./lab/agent.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { configure, installUpdater, schedule } from "./updater.ts";

const bookworm = { suite: "bookworm" } as const;
const available = "an upgrade is available (15.4.5 -> 15.4.6)\n";

async function enrolledHost({ host, repository, versions }: Stage): Promise<void> {
  await repository.publish(await buildAgent(host, { version: "15.4.5" }));
  await installAgent(host, "15.4.5");
  versions.serve("default", { version: "v15.4.6" });
  await installUpdater(host);
  await configure(host, `endpoint: ${versions.httpEndpoint}\nallow_plain_http: true\n`);
}

describe("a dry run by an ordinary user", () => {
  test(
    "prints its line and nothing else, however the version is written",
    scenario(bookworm, async (stage) => {
      const { host, versions } = stage;
      await enrolledHost(stage);
      for (const version of ["v15.4.6", "15.4.6", "v15.4.6\n", "  15.4.6\r\n"]) {
        versions.serve("default", { version });
        const { status, stdout } = await host.run(["svc-upgrade", "dry-run"], { user: "ordinary" });
        expect([status, stdout]).toEqual([0, available]);
      }
      versions.serve("stable/cloud", { version: "15.4.6" });
      const cloud = await host.run(["svc-upgrade", "dry-run", "--channel", "stable/cloud"], { user: "ordinary" });
      expect(cloud.stdout).toBe(available);
    }),
  );

  test(
    "compares in every direction, and tells it by its status when asked",
    scenario(bookworm, async (stage) => {
      const { host, versions } = stage;
      await enrolledHost(stage);
      const rows = [
        ["15.4.6", available, 100],
        ["15.4.5", "no upgrades available (15.4.5 == 15.4.5)\n", 0],
        ["15.4.4", "no upgrades available (15.4.5 > 15.4.4)\n", 0],
        ["none", "no upgrades available (15.4.5, channel serves none)\n", 0],
      ] as const;
      for (const [version, line, status] of rows) {
        versions.serve("default", { version });
        const result = await host.run(["svc-upgrade", "dry-run", "--exit-code"], { user: "ordinary" });
        expect([result.stdout, result.status]).toEqual([line, status]);
      }
    }),
  );

  test(
    "says which file it could not read and what helps, where only that file names the endpoint",
    scenario(bookworm, async (stage) => {
      const { host, versions } = stage;
      await enrolledHost(stage);
      await host.mustRun(["rm", "/etc/svc-upgrade/50-test.yaml"]);
      await host.write("/etc/svc.yaml", `svc:\n  proxy_server: ${new URL(versions.httpsEndpoint).host}\n`, { mode: "0600" });
      const { status, stdout, stderr } = await host.run(["svc-upgrade", "dry-run"], { user: "ordinary" });
      expect([status, stdout]).toEqual([77, ""]);
      expect(stderr).toContain("/etc/svc.yaml");
      await expect(stderr).toMatchFileSnapshot("golden/config-unreadable.txt");
    }),
  );

  test(
    "answers in one JSON shape",
    scenario(bookworm, async (stage) => {
      const { host, versions } = stage;
      await enrolledHost(stage);
      const { start } = await schedule(host, "closed");
      const { stdout } = await host.run(["svc-upgrade", "dry-run", "--json"], { user: "ordinary" });
      expect(JSON.parse(stdout)).toMatchObject({
        schema: 1,
        installed: "15.4.5",
        served: "15.4.6",
        channel: "default",
        available: true,
        decision: { kind: "stay", why: "outside-window", until: new Date(start * 1000).toISOString().replace(".000Z", "Z") },
      });
      versions.serve("default", { version: "<html>log in</html>" });
      const fault = await host.run(["svc-upgrade", "dry-run", "--json"], { user: "ordinary" });
      expect(fault.status).toBe(65);
      expect(JSON.parse(fault.stdout)).toMatchObject({ schema: 1, fault: { code: "answer-invalid" } });
    }),
  );

  test(
    "changes nothing on the host",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await enrolledHost(stage);
      const listing = (): Promise<string> =>
        host.mustRun([
          "sh",
          "-c",
          "find /etc /usr /var /run/svc-upgrade* -xdev -not -path '/var/log/journal*' -printf '%p %s %T@\\n' | sort",
        ]);
      const before = await listing();
      expect((await host.run(["svc-upgrade", "dry-run"])).stdout).toBe(available);
      expect(await listing()).toBe(before);
    }),
  );
});
