import { expect } from "vitest";
import { agentProcess, buildAgent, runInsideAgent } from "../../lab/agent.ts";
import type { Host } from "../../lab/host.ts";
import { packageVersion } from "../../lab/package.ts";
import { removePackage } from "../../lab/package-tools.ts";
import { until } from "../../lab/until.ts";
import { expectRunning, lastPass } from "../../moves.ts";
import { configure, installedVersion, journalOfLastRun, runNow, schedule, stopTimer, tick } from "../../updater.ts";
import type { Chapter } from "../row.ts";
import { begin, openScene, reloadFirst, type Scene } from "../scene.ts";

/** An answer that leaves time to do something while the pass waits for it. */
const slowly = { version: { body: "v15.4.6", delayMs: 6000 } } as const;
const longestPassMs = 90_000;

async function beginPass(host: Host): Promise<void> {
  await host.mustRun(["systemctl", "start", "--no-block", "svc-upgrade.service"]);
}

/** A pass that was begun has come so far that it waits for an answer. */
async function untilItAsks(host: Host): Promise<void> {
  await until("the pass asks", 30_000, async () => {
    const unit = await host.enter(["systemctl", "is-active", "svc-upgrade-ask.service"]);
    return unit.stdout.trim() === "activating" ? true : undefined;
  });
}

/** The word stands in the state: the step that is in hand, or how a pass ended. */
async function untilRecorded(host: Host, word: "install" | "moved" | "overtaken"): Promise<void> {
  await until(`the state has "${word}"`, longestPassMs, async () => {
    const state = await host.read("/var/lib/svc-upgrade-decide/state.json").catch(() => "");
    return state.includes(`"${word}"`) ? true : undefined;
  });
}

/** When the deciding unit last began to do something. */
function lastBeginning(host: Host): Promise<string> {
  return host.mustRun(["systemctl", "show", "--property=InactiveExitTimestampMonotonic", "--value", "svc-upgrade.service"]);
}

/** Waits until a timer with that calendar has fired three times, so any other with the same would have fired as well. */
async function anotherTimerFires(host: Host, calendar: string): Promise<void> {
  const fired = "/run/another-timer.fired";
  const timer = ["--unit=another", `--on-calendar=${calendar}`, "--timer-property=AccuracySec=1ms"];
  await host.mustRun(["systemd-run", "--quiet", ...timer, "sh", "-c", `echo fired >>${fired}`]);
  await until("another timer fires three times", 60_000, async () => {
    const { stdout } = await host.enter(["cat", fired]);
    return stdout.split("\n").length > 3 ? true : undefined;
  });
  await host.mustRun(["systemctl", "stop", "another.timer"]);
  await host.mustRun(["rm", fired]);
}

async function forgetHurry(host: Host): Promise<void> {
  await stopTimer(host);
  await host.mustRun(["rm", "-r", "/etc/systemd/system/svc-upgrade.timer.d"]);
  await host.mustRun(["systemctl", "daemon-reload"]);
}

export const moves: Chapter<Scene> = {
  title: "moves",
  open: openScene,
  begin,
  rows: [
    {
      title: "upgrades in its window, and tells it in few lines of the journal",
      play: async ({ host }) => {
        await schedule(host, "open");
        expect(await tick(host)).toBe(0);
        await expectRunning(host, "15.4.6");
        expect((await agentProcess(host))?.executable).toBe("/usr/bin/svc");
        const journal = await journalOfLastRun(host);
        expect(journal.length).toBeLessThanOrEqual(10);
        await expect(`${journal.join("\n")}\n`).toMatchFileSnapshot(`golden/upgrade-${host.family}.txt`);
        expect(await tick(host)).toBe(0);
        expect(await lastPass(host)).toMatchObject({ decision: { kind: "stay", why: "current" } });
      },
    },
    {
      title: "upgrades outside its window when the update is critical",
      play: async ({ host, versions }) => {
        versions.serve("default", { version: "15.4.6", critical: "yes" });
        await schedule(host, "closed");
        expect(await tick(host)).toBe(0);
        await expectRunning(host, "15.4.6");
      },
    },
    {
      title: "upgrades when the shipped timer fires, and not while an admin has disabled it",
      play: async ({ host, versions }) => {
        await reloadFirst(host);
        await schedule(host, "open");
        await host.mustRun(["systemctl", "disable", "--now", "--quiet", "svc-upgrade.timer"]);
        await host.write(
          "/etc/systemd/system/svc-upgrade.timer.d/50-hurry.conf",
          "[Timer]\nOnCalendar=\nOnCalendar=*:*:0/2\nRandomizedDelaySec=0\n",
        );
        await host.mustRun(["systemctl", "daemon-reload"]);
        const asked = versions.http.requests.length;
        const lastBegun = await lastBeginning(host);
        await anotherTimerFires(host, "*:*:0/2");
        expect(await lastBeginning(host)).toBe(lastBegun);
        expect(versions.http.requests.length).toBe(asked);
        await expectRunning(host, "15.4.5");
        await host.mustRun(["systemctl", "enable", "--now", "--quiet", "svc-upgrade.timer"]);
        await untilRecorded(host, "moved");
        await forgetHurry(host);
        await expectRunning(host, "15.4.6");
      },
    },
    {
      title: "by hand says why it stays, moves when it is told to, and goes back when it is asked to",
      play: async ({ host }) => {
        await schedule(host, "closed");
        const stays = await host.run(["svc-upgrade", "run"]);
        expect(stays.status).toBe(0);
        expect(stays.stdout).toMatch(
          /^an upgrade is available \(15\.4\.5 -> 15\.4\.6\), not now: outside the maintenance window, the next one opens at .*Z\n$/,
        );
        await expectRunning(host, "15.4.5");
        const goes = await runNow(host);
        expect([goes.status, goes.stdout]).toEqual([0, "upgraded (15.4.5 -> 15.4.6)\n"]);
        // What the manager prints is shown as it comes.
        expect(goes.stderr).toMatch(/svc-ent.*\n[^]*upgraded svc-ent from/);
        await expectRunning(host, "15.4.6");
        const again = await host.run(["svc-upgrade", "run", "--json"]);
        expect(JSON.parse(again.stdout)).toMatchObject({
          schema: 1,
          decision: { kind: "stay", why: "current" },
          outcome: { kind: "stayed" },
        });
        const back = await host.run(["svc-upgrade", "rollback"], { timeoutMs: 180_000 });
        expect([back.status, back.stdout]).toEqual([0, "downgraded (15.4.6 -> 15.4.5)\n"]);
        await expectRunning(host, "15.4.5");
      },
    },
    {
      title: "installs the agent where it is not installed, when it is told so",
      play: async ({ host }) => {
        await removePackage(host, "svc-ent");
        const refused = await runNow(host);
        expect([refused.status, refused.stdout]).toEqual([69, ""]);
        expect(refused.stderr).toContain("--install");
        const done = await host.run(["svc-upgrade", "run", "--now", "--install"], { timeoutMs: 180_000 });
        expect([done.status, done.stdout]).toEqual([0, "installed (15.4.6)\n"]);
        expect(await installedVersion(host)).toMatch(/^15\.4\.6/);
      },
    },
    {
      title: "finds the endpoint in the agent's own configuration, readable by root alone, and a channel of another name",
      play: async ({ host, versions }) => {
        versions.serve("stable/cloud", { version: "15.4.6\n" });
        await versions.authority.trustIn(host);
        await configure(host, "channel: stable/cloud\n");
        const text = `version: v3\nsvc:\n  proxy_server: ${new URL(versions.httpsEndpoint).host}\n`;
        await host.write("/etc/svc.yaml", text, { mode: "0600" });
        await schedule(host, "open");
        expect(await tick(host)).toBe(0);
        await expectRunning(host, "15.4.6");
      },
    },
    {
      title: "ends verified and recorded although the shell it was typed in dies with the agent",
      play: async ({ host }) => {
        const shell = (await agentProcess(host))?.pid;
        await runInsideAgent(host, "svc-upgrade run --now >/root/out 2>&1; echo $? >/root/ended");
        await untilRecorded(host, "moved");
        expect((await agentProcess(host))?.pid).not.toBe(shell);
        await expectRunning(host, "15.4.6");
        expect((await host.run(["test", "-e", "/root/ended"])).status).not.toBe(0);
        expect(await lastPass(host)).toMatchObject({ outcome: { kind: "moved", to: packageVersion(host, "15.4.6") } });
      },
    },
    {
      title: "yields to a pass that is running, and a pass heeds a hold that is set before it changes anything",
      play: async ({ host, versions }) => {
        await schedule(host, "open");
        versions.serve("default", slowly);
        await beginPass(host);
        await untilItAsks(host);
        const { status, stderr } = await runNow(host);
        expect([status, stderr]).toEqual([75, expect.stringContaining("another pass is running")]);
        const held = await host.run(["svc-upgrade", "hold"]);
        expect(held.stderr).toContain("a pass is running; it heeds the hold unless it has begun to change the package");
        await untilRecorded(host, "overtaken");
        await stopTimer(host);
        await expectRunning(host, "15.4.5");
        await host.mustRun(["svc-upgrade", "unhold"]);
      },
    },
    {
      title: "is stopped, kills no transaction by it, and verifies and records what was done",
      play: async ({ host, repository, versions }) => {
        await repository.publish(await buildAgent(host, { version: "15.4.7", scripts: "slow" }));
        versions.serve("default", { version: "15.4.7" });
        await schedule(host, "open");
        await beginPass(host);
        await untilRecorded(host, "install");
        await host.mustRun(["systemctl", "stop", "svc-upgrade.service"], { timeoutMs: 120_000 });
        await expectRunning(host, "15.4.7");
        expect(await lastPass(host)).toMatchObject({ outcome: { kind: "moved", to: packageVersion(host, "15.4.7") } });
      },
    },
    {
      title: "is stopped before the transaction, and starts nothing",
      play: async ({ host, versions }) => {
        await schedule(host, "open");
        versions.serve("default", slowly);
        await beginPass(host);
        await untilItAsks(host);
        await host.mustRun(["systemctl", "stop", "svc-upgrade.service"], { timeoutMs: 120_000 });
        await expectRunning(host, "15.4.5");
        expect(await lastPass(host)).toMatchObject({ outcome: { kind: "failed", fault: { code: "stopping" } } });
      },
    },
  ],
};
