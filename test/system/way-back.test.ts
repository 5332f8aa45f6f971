import { describe, expect, test } from "vitest";
import { buildAgent, type AgentOptions } from "./lab/agent.ts";
import type { Suite } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { packageVersion } from "./lab/package.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { expectRunning, lastPass } from "./moves.ts";
import { configure, installedVersion, outdatedHost, schedule, tick, withUpdater } from "./updater.ts";

/** Of apt's the oldest: the rest is seen on bookworm. */
const everyHost: readonly Suite[] = ["bullseye", "yum", "zypper"];

/** Each kind on one host, or where package managers differ on more; `npm run faults` plays all of them with each manager. */
const faults = [
  ["bookworm", "has a package script that fails", { scripts: "failing" }, "install", "install-failed"],
  ["bookworm", "has a binary of another version", { speaks: "15.4.4" }, "verify", "verify-failed"],
  ["bookworm", "crashes at its start", { start: "crashes" }, "activate", "activate-failed"],
  ["bookworm", "crashes a moment later", { start: "crashes-later" }, "health", "unhealthy"],
  ["yum", "has a package script that fails", { scripts: "failing" }, "install", "install-failed"],
  ["zypper", "has no binary", { binary: "absent" }, "verify", "verify-failed"],
] as const;

/** A host in its window, with the agent at 15.4.5, and the channel at a 15.4.7 that is no good. */
async function hostWithBadVersion(stage: Stage, bad: Omit<AgentOptions, "version">): Promise<void> {
  const { host, repository, versions } = stage;
  await outdatedHost(stage);
  await repository.publish(await buildAgent(host, { version: "15.4.7", ...bad }));
  versions.serve("default", { version: "v15.4.7" });
  await configure(host, "health: {settle: 3s}\n", "60-settle");
  await schedule(host, "open");
}

async function keptFiles(host: Host): Promise<readonly string[]> {
  return (await host.mustRun(["ls", "/var/lib/svc-upgrade/packages"])).trim().split("\n");
}

describe("a bad version", () => {
  for (const [suite, title, bad, step, code] of faults) {
    test(
      `that ${title} is undone, remembered, and told, on ${suite}`,
      scenario(withUpdater({ suite }), async (stage) => {
        const { host, versions } = stage;
        await hostWithBadVersion(stage, bad);
        expect(await tick(host)).toBe(10);
        await expectRunning(host, "15.4.5");
        expect(await lastPass(host)).toMatchObject({
          outcome: { kind: "undone", step, fault: { code }, to: packageVersion(host, "15.4.5") },
        });
        const status = await host.mustRun(["svc-upgrade", "status"]);
        expect(status).toContain("15.4.7");
        expect(status).toContain(code);

        expect(await tick(host)).toBe(0);
        expect(await lastPass(host)).toMatchObject({ decision: { kind: "stay", why: "rejected" } });
        await expectRunning(host, "15.4.5");

        versions.serve("default", { version: "v15.4.6" });
        expect(await tick(host)).toBe(0);
        await expectRunning(host, "15.4.6");
        expect(await keptFiles(host)).toHaveLength(2);
      }),
    );
  }

  for (const suite of everyHost) {
    test(
      `that fails late is undone with the repository and the network gone, on ${suite}`,
      scenario(withUpdater({ suite }), async (stage) => {
        const { host, repository, versions } = stage;
        await hostWithBadVersion(stage, { start: "crashes-later" });
        await configure(host, "health: {settle: 8s}\n", "60-settle");
        const pass = tick(host);
        await isInstalled(host, "15.4.7");
        await repository.server.goDown();
        await versions.http.goDown();
        expect(await pass).toBe(10);
        await expectRunning(host, "15.4.5");
      }),
    );
  }

  test(
    "that cannot be undone is told loudly, and left for the next version",
    scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
      const { host, versions } = stage;
      await hostWithBadVersion(stage, { start: "crashes-later" });
      await configure(host, "health: {settle: 8s}\n", "60-settle");
      const pass = tick(host);
      await isInstalled(host, "15.4.7");
      await host.mustRun(["sh", "-c", "for file in /var/lib/svc-upgrade/packages/*; do : >$file; done"]);
      expect(await pass).toBe(11);
      expect(await lastPass(host)).toMatchObject({
        outcome: { kind: "failed", step: "health", fault: { code: "unhealthy" }, back: { kind: "not-tried" } },
      });
      expect(await host.mustRun(["svc-upgrade", "status"])).toMatch(/not at hand/);
      versions.serve("default", { version: "v15.4.6" });
      await configure(host, "downgrade: allow\n", "70-downgrade");
      expect(await tick(host)).toBe(0);
      await expectRunning(host, "15.4.6");
    }),
  );
});

async function isInstalled(host: Host, version: string): Promise<void> {
  const installed = (): Promise<string> => installedVersion(host).catch(() => "");
  await expect.poll(installed, { timeout: 60_000 }).toBe(packageVersion(host, version));
}
