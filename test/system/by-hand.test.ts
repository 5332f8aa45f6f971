import { describe, expect, test } from "vitest";
import { agentProcess, buildAgent, runInsideAgent } from "./lab/agent.ts";
import type { Host } from "./lab/host.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { configure, installedVersion, installUpdater, outdatedHost, schedule } from "./updater.ts";

const bookworm = { suite: "bookworm" } as const;

async function lastPass({ host }: Stage): Promise<{ readonly outcome: { readonly kind: string } }> {
  return JSON.parse(await host.read("/var/lib/svc-upgrade/state.json")).passes[0];
}

async function isAsking(host: Host): Promise<true | undefined> {
  const unit = await host.enter(["systemctl", "is-active", "svc-upgrade-ask.service"]);
  return unit.stdout.trim() === "activating" ? true : undefined;
}

describe("run by hand", () => {
  test(
    "says why it stays, and moves with --now",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await schedule(host, "closed");
      const stays = await host.run(["svc-upgrade", "run"]);
      expect(stays.status).toBe(0);
      expect(stays.stdout).toMatch(
        /^an upgrade is available \(15\.4\.5 -> 15\.4\.6\), not now: outside the maintenance window, the next one opens at .*Z\n$/,
      );
      expect(await installedVersion(host)).toBe("15.4.5");
      const moves = await host.run(["svc-upgrade", "run", "--now"]);
      expect([moves.status, moves.stdout]).toEqual([0, "upgraded (15.4.5 -> 15.4.6)\n"]);
      expect(moves.stderr).toContain("Setting up svc-ent (15.4.6)");
      expect((await agentProcess(host))?.speaks).toContain("15.4.6");
      const again = await host.run(["svc-upgrade", "run", "--json"]);
      expect(JSON.parse(again.stdout)).toMatchObject({
        schema: 1,
        decision: { kind: "stay", why: "current" },
        outcome: { kind: "stayed" },
      });
    }),
  );

  test(
    "installs the agent where it is not installed, when told so",
    scenario(bookworm, async (stage) => {
      const { host, repository, versions } = stage;
      await repository.publish(await buildAgent(host, { version: "15.4.6" }));
      versions.serve("default", { version: "v15.4.6" });
      await installUpdater(host);
      await configure(host, `endpoint: ${versions.httpEndpoint}\nallow_plain_http: true\n`);
      const refused = await host.run(["svc-upgrade", "run", "--now"]);
      expect([refused.status, refused.stdout]).toEqual([69, ""]);
      expect(refused.stderr).toContain("--install");
      const done = await host.run(["svc-upgrade", "run", "--now", "--install"]);
      expect([done.status, done.stdout]).toEqual([0, "installed (15.4.6)\n"]);
      expect(await installedVersion(host)).toBe("15.4.6");
    }),
  );

  test(
    "ends verified and recorded although the shell it was typed in dies with the agent",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      const shell = (await agentProcess(host))?.pid;
      await runInsideAgent(host, "svc-upgrade run --now >/root/out 2>&1; echo $? >/root/ended");
      await until("the pass is recorded", 60_000, async () => {
        const state = await host.read("/var/lib/svc-upgrade/state.json").catch(() => "{}");
        return state.includes('"moved"') ? true : undefined;
      });
      const agent = await agentProcess(host);
      expect(agent?.pid).not.toBe(shell);
      expect(agent?.speaks).toContain("15.4.6");
      expect((await host.run(["test", "-e", "/root/ended"])).status).not.toBe(0);
      expect(await lastPass(stage)).toMatchObject({ outcome: { kind: "moved", to: "15.4.6" } });
    }),
  );

  test(
    "yields to a pass that is running",
    scenario(bookworm, async (stage) => {
      const { host, versions } = stage;
      await outdatedHost(stage);
      versions.serve("default", { version: { body: "v15.4.6", delayMs: 8000 } });
      await host.mustRun(["systemctl", "start", "--no-block", "svc-upgrade.service"]);
      await until("the pass asks", 20_000, () => isAsking(host));
      const { status, stderr } = await host.run(["svc-upgrade", "run", "--now"]);
      expect(status).toBe(75);
      expect(stderr).toContain("another pass is running");
    }),
  );
});

describe("stopping svc-upgrade.service", () => {
  test(
    "kills no transaction, and the pass verifies and records it",
    scenario(bookworm, async (stage) => {
      const { host, repository, versions } = stage;
      await outdatedHost(stage);
      await repository.publish(await buildAgent(host, { version: "15.4.7", scripts: "slow" }));
      versions.serve("default", { version: "15.4.7" });
      await schedule(host, "open");
      await host.mustRun(["systemctl", "start", "--no-block", "svc-upgrade.service"]);
      await until("the transaction runs", 60_000, async () => {
        const unit = await host.enter(["systemctl", "show", "-p", "ExecStart", "svc-upgrade-transaction.service"]);
        return unit.stdout.includes("15.4.7") ? true : undefined;
      });
      await host.mustRun(["systemctl", "stop", "svc-upgrade.service"], { timeoutMs: 120_000 });
      expect(await installedVersion(host)).toBe("15.4.7");
      expect((await agentProcess(host))?.speaks).toContain("15.4.7");
      expect(await lastPass(stage)).toMatchObject({ outcome: { kind: "moved", to: "15.4.7" } });
    }),
  );

  test(
    "before the transaction starts nothing",
    scenario(bookworm, async (stage) => {
      const { host, versions } = stage;
      await outdatedHost(stage);
      await schedule(host, "open");
      versions.serve("default", { version: { body: "v15.4.6", delayMs: 8000 } });
      await host.mustRun(["systemctl", "start", "--no-block", "svc-upgrade.service"]);
      await until("the pass asks", 20_000, () => isAsking(host));
      await host.mustRun(["systemctl", "stop", "svc-upgrade.service"], { timeoutMs: 120_000 });
      expect(await installedVersion(host)).toBe("15.4.5");
      expect(await lastPass(stage)).toMatchObject({ outcome: { kind: "failed", fault: { code: "stopping" } } });
    }),
  );
});
