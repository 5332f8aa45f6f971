import { describe, expect, test } from "vitest";
import { agentProcess } from "./lab/agent.ts";
import type { Host } from "./lab/host.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { installedVersion, outdatedHost, schedule, tick, withUpdater } from "./updater.ts";

const bookworm = withUpdater({ suite: "bookworm" });

/** A host whose last pass upgraded the agent to 15.4.6, in its window. */
async function upgradedHost(stage: Stage): Promise<void> {
  await outdatedHost(stage);
  await schedule(stage.host, "open");
  expect(await tick(stage.host)).toBe(0);
  await expectRunning(stage.host, "15.4.6");
}

async function expectRunning(host: Host, version: string): Promise<void> {
  expect(await installedVersion(host)).toBe(version);
  expect((await agentProcess(host))?.speaks).toContain(version);
  expect((await host.run(["systemctl", "is-active", "svc.service"])).stdout.trim()).toBe("active");
}

async function passesOf(host: Host): Promise<readonly { readonly decision: object; readonly steps: readonly object[] }[]> {
  return JSON.parse(await host.read("/var/lib/svc-upgrade-decide/state.json")).passes;
}

describe("rollback", () => {
  test(
    "brings back the version before and keeps it, until that version is asked for again",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await upgradedHost(stage);

      const back = await host.run(["svc-upgrade", "rollback"]);
      expect([back.status, back.stdout]).toEqual([0, "downgraded (15.4.6 -> 15.4.5)\n"]);
      expect(back.stderr).toContain("downgrading now: a rollback was asked for");
      expect(back.stderr).toContain("downgraded svc-ent from 15.4.6 to 15.4.5; svc.service was restarted and runs it");
      await expectRunning(host, "15.4.5");
      expect((await host.run(["test", "-e", "/run/svc-upgrade/asked.json"])).status).not.toBe(0);

      // The window is open, and the channel serves the version that was left.
      expect(await tick(host)).toBe(0);
      await expectRunning(host, "15.4.5");
      const [stayed, went] = await passesOf(host);
      expect(stayed).toMatchObject({ decision: { kind: "stay", why: "rejected" }, steps: [] });
      expect(went).toMatchObject({ decision: { kind: "move", why: "rollback" } });
      // From the kept package: nobody is asked for it.
      expect(went?.steps).toMatchObject(
        ["install", "verify", "activate", "health"].map((step) => ({ step, ms: expect.any(Number) })),
      );

      const again = await host.run(["svc-upgrade", "rollback"]);
      expect([again.status, again.stdout]).toEqual([69, ""]);
      expect(again.stderr).toContain("there is no version to roll back to");
      expect(again.stderr).toContain("to go forward again: `svc-upgrade retry`, then `svc-upgrade run --now`");
      await expectRunning(host, "15.4.5");

      const retried = await host.run(["svc-upgrade", "retry", "15.4.6"]);
      expect([retried.status, retried.stdout]).toEqual([
        0,
        "cleared: 15.4.6 was rejected: an administrator went back from it; the next pass decides again; for one at once: sudo svc-upgrade run --now\n",
      ]);
      const forth = await host.run(["svc-upgrade", "run", "--now"]);
      expect([forth.status, forth.stdout]).toEqual([0, "upgraded (15.4.5 -> 15.4.6)\n"]);
      await expectRunning(host, "15.4.6");
    }),
  );

  test(
    "needs no version server, but root",
    scenario(bookworm, async (stage) => {
      const { host, versions } = stage;
      await upgradedHost(stage);
      await versions.http.goDown();
      expect((await host.run(["svc-upgrade", "dry-run"])).status).toBe(75);

      const refused = await host.run(["runuser", "-u", "nobody", "--", "svc-upgrade", "rollback"]);
      expect([refused.status, refused.stdout]).toEqual([77, ""]);
      expect(refused.stderr).toContain("sudo svc-upgrade rollback");
      await expectRunning(host, "15.4.6");

      const { status, stdout } = await host.run(["svc-upgrade", "rollback", "--json"]);
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        installed: "15.4.6",
        served: null,
        decision: { kind: "move", why: "rollback", target: { kind: "downgrade", to: "15.4.5" } },
        outcome: { kind: "moved", from: "15.4.6", to: "15.4.5" },
      });
      await expectRunning(host, "15.4.5");
    }),
  );
});
