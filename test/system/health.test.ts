import { describe, expect, test } from "vitest";
import type { ChangeBegun } from "../../src/updater/pass/ports.ts";
import type { PackageName, UnitName } from "../../src/rules/settings/settings.ts";
import { decideTo, isThere, journal, outcome } from "./deciding.ts";
import { agentProcess, buildAgent, installAgent, type AgentOptions } from "./lab/agent.ts";
import type { Suite } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import type { Changed, Watched } from "./unit-in-host.ts";
import { withSources } from "./sources.ts";

/** The oldest systemd and the newest one; the rest is seen on bookworm. */
const oldestAndNewest: readonly Suite[] = ["bullseye", "trixie"];

type Around = {
  readonly how?: Watched["agent"]["activate"];
  readonly command?: readonly string[];
  readonly settleSeconds?: number;
  readonly begun?: ChangeBegun;
};

/** Changes the agent by `argv` in the transaction unit, and has its unit watched as a pass does. */
async function change(host: Host, argv: readonly string[], around: Around = {}): Promise<Changed> {
  await decideToChange(host, argv, around);
  return (await outcome(host)) as Changed;
}

async function decideToChange(host: Host, argv: readonly string[], around: Around): Promise<void> {
  const { how = "restart", command = [], settleSeconds = 4, begun } = around;
  const agent = { package: "svc-ent" as PackageName, unit: "svc.service" as UnitName, versionCommand: [], activate: how };
  const watched: Watched = { agent, health: { settleSeconds, command }, ...(begun === undefined ? {} : { begun }) };
  await decideTo(host, "change", Buffer.from(JSON.stringify(watched)).toString("base64"), ...argv);
}

const upgrade = ["apt-get", "-qq", "-y", "install", "svc-ent=15.4.6"];

/** A host with the agent at 15.4.5, and 15.4.6 as it is told in the repository. */
async function outdated({ host, repository }: Stage, next: Omit<AgentOptions, "version"> = {}): Promise<void> {
  await repository.publish(await buildAgent(host, { version: "15.4.5" }), await buildAgent(host, { version: "15.4.6", ...next }));
  await installAgent(host, "15.4.5");
}

/** An agent that is a shell script, and what systemd does with it. */
async function scripted(host: Host, script: string, service: string = "Restart=always\nRestartSec=100ms"): Promise<void> {
  await host.write("/usr/bin/svc", `#!/bin/sh\n${script}\n`, { mode: "0755" });
  const unit = `[Unit]\nStartLimitIntervalSec=0\n[Service]\nExecStart=/usr/bin/svc\n${service}\n[Install]\nWantedBy=multi-user.target\n`;
  await host.write("/etc/systemd/system/svc.service", unit);
  await host.mustRun(["systemctl", "daemon-reload"]);
  await host.run(["systemctl", "enable", "--now", "--quiet", "svc.service"]);
}

/** What a package manager does: a new file in the place of the old one. */
function replaceBy(script: string): readonly string[] {
  return [
    "sh",
    "-c",
    `printf "#!/bin/sh\\n%s\\n" "$0" >/usr/bin/svc.new; chmod 755 /usr/bin/svc.new; mv /usr/bin/svc.new /usr/bin/svc`,
    script,
  ];
}

async function unitIs(host: Host, state: string): Promise<void> {
  await until(`the agent's unit is ${state}`, 20_000, async () =>
    (await host.enter(["systemctl", "show", "--property=ActiveState", "--value", "svc.service"])).stdout.trim() === state
      ? true
      : undefined,
  );
}

describe("an agent after a change of its package", () => {
  test(
    "is well where it runs on, and leaves no line of the watch in the journal",
    scenario(withSources({ suite: "bookworm" }), async (stage) => {
      await outdated(stage);
      const changed = await change(stage.host, upgrade, { command: ["svc", "version"] });
      expect(changed).toEqual({
        before: "running",
        activated: "svc.service was restarted and runs it",
        evidence: expect.arrayContaining([expect.stringContaining("started version=15.4.6")]) as unknown,
        log: [],
      });
      expect(await journal(stage.host)).not.toMatch(/health check|svc\.service:/);
    }),
  );

  test(
    "is ill where it flaps quicker than anyone looks",
    scenario(withSources({ suite: "bookworm" }), async ({ host }) => {
      await scripted(host, "exec sleep 600");
      const { fault, evidence } = await change(
        host,
        replaceBy("sleep 1.5; echo the token is https://me:secret@svc.test; exit 1"),
      );
      expect(fault).toMatchObject({
        code: "unhealthy",
        message: expect.stringMatching(/^svc\.service is .*, [2-4] seconds after it was brought up$/) as unknown,
      });
      expect(evidence).toContain("the token is https://***@svc.test");
    }),
  );

  for (const suite of oldestAndNewest) {
    test(
      `is ill where it crashes after a while, on ${suite}`,
      scenario(withSources({ suite }), async (stage) => {
        await outdated(stage, { start: "crashes-later" });
        const { before, fault, evidence } = await change(stage.host, upgrade);
        expect(before).toBe("running");
        expect(fault).toMatchObject({
          code: "unhealthy",
          message: expect.stringMatching(
            /^svc\.service is activating \(auto-restart\): it ended, and systemd is about to start it again, [23] seconds after it was brought up$/,
          ) as unknown,
        });
        expect(evidence).toContainEqual(expect.stringContaining("lost its footing version=15.4.6"));
        expect(evidence).toContainEqual("svc.service: Failed with result 'exit-code'.");
        expect(evidence.length).toBeLessThanOrEqual(5);
      }),
    );

    test(
      `is ill where it ends without a fault and stays down, on ${suite}`,
      scenario(withSources({ suite }), async ({ host }) => {
        await scripted(host, "exec sleep 600", "Restart=no");
        const { fault } = await change(host, replaceBy("sleep 1"));
        expect(fault?.message).toMatch(/^svc\.service is inactive \(dead\): it went down, [23] seconds after/);
      }),
    );
  }

  test(
    "is ill where it crashes at its start",
    scenario(withSources({ suite: "bookworm" }), async (stage) => {
      await outdated(stage, { start: "crashes" });
      const { fault, evidence } = await change(stage.host, upgrade);
      // Whether it lives for one more look is a matter of milliseconds.
      expect(["unhealthy", "activate-failed"]).toContain(fault?.code);
      expect(evidence).toContainEqual("ERROR cannot start version=15.4.6");
    }),
  );

  test(
    "is given its time to start, if its package's own scripts restarted it",
    scenario(withSources({ suite: "bookworm" }), async ({ host }) => {
      await scripted(host, "systemd-notify --ready; exec sleep 600", "Type=notify\nNotifyAccess=all");
      const slow = replaceBy("sleep 3; systemd-notify --ready; exec sleep 600");
      const restarting = slow.map((word, index) =>
        index === 2 ? `${word}; systemctl restart --no-block svc.service; sleep 0.5` : word,
      );
      expect(await change(host, restarting)).toMatchObject({ activated: "svc.service runs it", log: [] });
      const never = restarting.map((word, index) => (index === 3 ? "exec sleep 600" : word));
      const { fault } = await change(host, never);
      expect(fault).toMatchObject({
        code: "unhealthy",
        message: "svc.service is activating (start): it has not come up, 4 seconds after it was brought up",
      });
    }),
  );

  test(
    "has nothing to prove where it was stopped and stays so",
    scenario(withSources({ suite: "bookworm" }), async ({ host }) => {
      await scripted(host, "exec sleep 600");
      await host.mustRun(["systemctl", "stop", "svc.service"]);
      const changed = await change(host, replaceBy("exit 1"), { command: ["false"] });
      expect(changed).toMatchObject({ before: "stopped", activated: "svc.service was not running and stays so", log: [] });
      expect(changed.fault).toBeUndefined();
    }),
  );

  test(
    "that was ill before is started, and is well or still ill",
    scenario(withSources({ suite: "bookworm" }), async ({ host }) => {
      await scripted(host, "echo no disk; exit 1", "Restart=no");
      const still = await change(host, replaceBy("echo still no disk; sleep 1; exit 1"));
      expect(still).toMatchObject({
        before: "unhealthy",
        activated: "svc.service was started and runs it",
        fault: { code: "unhealthy" },
      });
      expect(still.evidence).toContain("still no disk");
      const repaired = await change(host, replaceBy("exec sleep 600"));
      expect(repaired).toMatchObject({ before: "unhealthy", activated: "svc.service was started and runs it" });
      expect(repaired.fault).toBeUndefined();
    }),
  );

  test(
    "is neither well nor ill where somebody stops it meanwhile",
    scenario(withSources({ suite: "bookworm" }), async (stage) => {
      await outdated(stage);
      const changing = change(stage.host, upgrade, { settleSeconds: 20 });
      await until("the new version runs", 60_000, async () =>
        (await agentProcess(stage.host))?.speaks.includes("15.4.6") ? true : undefined,
      );
      await stage.host.mustRun(["systemctl", "restart", "svc.service"]);
      await stage.host.mustRun(["sleep", "2"]);
      await stage.host.mustRun(["systemctl", "stop", "svc.service"]);
      const { fault, log } = await changing;
      expect(fault).toBeUndefined();
      expect(log).toEqual(["warning: svc.service was stopped while it was watched: whether it is well is not known "]);
    }),
  );

  for (const suite of oldestAndNewest) {
    test(
      `is neither well nor ill where the host goes down meanwhile, on ${suite}`,
      scenario(withSources({ suite }), async (stage) => {
        const { host } = stage;
        await outdated(stage);
        await host.mustRun(["mkdir", "-p", "/var/log/journal"]);
        await host.mustRun(["journalctl", "--flush"]);
        await decideToChange(host, upgrade, { settleSeconds: 30 });
        await host.mustRun(["systemctl", "start", "--no-block", "svc-upgrade.service"]);
        await until("the new version runs", 60_000, async () =>
          (await agentProcess(host))?.speaks.includes("15.4.6") ? true : undefined,
        );
        await host.powerOff();
        await host.boot();
        const told = await host.mustRun(["journalctl", "--quiet", "--no-pager", "-b", "-1", "-u", "svc-upgrade", "-o", "cat"]);
        expect(told).toContain("whether it is well is not known");
        expect(told).not.toContain('"fault"');
      }),
    );
  }
});

/** Well for the old version, and for the new one what is said. */
function unlessNew(line: string): readonly string[] {
  return ["sh", "-c", `svc version | grep -q 15.4.5 || { ${line}; }`];
}

describe("the admin's own check", () => {
  test(
    "makes an agent ill that runs",
    scenario(withSources({ suite: "bookworm" }), async (stage) => {
      await outdated(stage);
      const command = unlessNew("echo asking; echo no cluster at https://me:secret@svc.test >&2; exit 3");
      expect(await change(stage.host, upgrade, { command, settleSeconds: 2 })).toMatchObject({
        before: "running",
        fault: {
          code: "unhealthy",
          message:
            "svc.service runs, and the health check sh says that it is not well: it ended with status 3: no cluster at https://***@svc.test",
        },
      });
    }),
  );

  test(
    "that was not content before is not held against the new version",
    scenario(withSources({ suite: "bookworm" }), async (stage) => {
      await outdated(stage);
      const changed = await change(stage.host, upgrade, { command: ["sh", "-c", "echo no cluster; exit 1"], settleSeconds: 2 });
      expect(changed).toMatchObject({ before: "unhealthy", fault: { code: "unhealthy" } });
      expect(changed.log).toEqual([
        "warning: the health check says that svc.service is not well, before anything is changed it ended with status 1: no cluster",
      ]);
    }),
  );

  test(
    "is ended where it hangs, with all that it started",
    scenario(withSources({ suite: "bookworm" }), async (stage) => {
      await outdated(stage);
      const command = unlessNew("trap : TERM; sleep 1234 & while :; do sleep 1; done");
      const { fault } = await change(stage.host, upgrade, { command, settleSeconds: 2 });
      expect(fault?.message).toMatch(/the health check sh says .*: it has not come to an end after 60 seconds/);
      expect((await stage.host.enter(["pgrep", "--full", "sleep 1234"])).status).toBe(1);
    }),
  );

  for (const suite of oldestAndNewest) {
    test(
      `that cannot be run rejects nothing, and is told, on ${suite}`,
      scenario(withSources({ suite }), async ({ host }) => {
        await scripted(host, "exec sleep 600");
        await host.write("/usr/bin/no-interpreter", "#!/usr/bin/nowhere\n", { mode: "0755" });
        await host.write("/usr/bin/not-executable", "#!/bin/sh\n", { mode: "0644" });
        await host.write("/root/hidden", "#!/bin/sh\n", { mode: "0755" });
        for (const program of ["/usr/bin/no-interpreter", "/usr/bin/not-executable", "/root/hidden", "nowhere"]) {
          const { fault, log } = await change(host, replaceBy("exec sleep 600"), { command: [program], settleSeconds: 1 });
          expect(fault).toBeUndefined();
          expect(log).toEqual([expect.stringMatching(/^error: health\.command could not be run, .*; correct the setting \S/)]);
        }
      }),
    );

    test(
      `has no rights, no place to write, no secrets and no variables of ours, on ${suite}`,
      scenario(withSources({ suite }), async ({ host }) => {
        await scripted(host, "exec sleep 600");
        await host.write("/etc/svc-upgrade/secret.yaml", "{}\n", { mode: "0600" });
        await host.mustRun(["systemctl", "set-environment", "LD_PRELOAD=/nowhere.so", "NODE_OPTIONS=--inspect"]);
        const attempts = [
          "id -u | grep -Eq ^6[0-9]{4}$ || echo the user is $(id -u)",
          "grep -Eq ^CapBnd:.0+$ /proc/self/status || echo capabilities",
          "grep -Eq ^NoNewPrivs:.1$ /proc/self/status || echo new privileges",
          "for file in /etc /usr/bin /var/lib /run /root; do touch $file/x 2>/dev/null && echo wrote to $file; done",
          "for file in /etc/shadow /etc/svc-upgrade/secret.yaml /root/.profile; do cat $file >/dev/null 2>&1 && echo read $file; done",
          "ls /home/* >/dev/null 2>&1 && echo read /home",
          "env | grep -E LD_PRELOAD\\|NODE_OPTIONS\\|SECRET",
          "kill -0 1 2>/dev/null && echo may signal",
          "test -e /proc/1/status || echo sees no processes",
          "grep -q $(printf %s a) /etc/hosts || echo reads nothing",
          "exit 9",
        ];
        const { fault } = await change(host, replaceBy("exec sleep 600"), {
          command: ["sh", "-c", attempts.join("\n")],
          settleSeconds: 1,
        });
        expect(fault?.message).toBe("svc.service runs, and the health check sh says that it is not well: it ended with status 9");
      }),
    );
  }
});

describe("a change that another pass began", () => {
  const now = (): number => Math.floor(Date.now() / 1000);

  test(
    "is taken over where the pass was killed with the agent stopped",
    scenario(withSources({ suite: "bookworm" }), async (stage) => {
      const { host } = stage;
      await outdated(stage);
      const since = now();
      await host.mustRun(upgrade);
      await host.mustRun(["systemctl", "stop", "svc.service"]);
      expect(await change(host, [], { begun: { before: "stopped", since } })).toMatchObject({
        activated: "svc.service was not running and stays so",
      });
      const changed = await change(host, [], { begun: { before: "running", since } });
      expect(changed).toMatchObject({ before: "running", activated: "svc.service was restarted and runs it" });
      expect(changed.evidence).toContainEqual(expect.stringContaining("stopping version=15.4.5"));
    }),
  );

  test(
    "leaves alone what has run the installed file since",
    scenario(withSources({ suite: "bookworm" }), async (stage) => {
      const { host } = stage;
      await outdated(stage);
      const begun: ChangeBegun = { before: "running", since: now() };
      await host.mustRun(upgrade);
      await host.mustRun(["systemctl", "restart", "svc.service"]);
      const { pid } = (await agentProcess(host)) ?? {};
      expect(await change(host, [], { begun })).toMatchObject({ activated: "svc.service runs it" });
      expect((await agentProcess(host))?.pid).toBe(pid);
    }),
  );

  test(
    "is taken over after a power cut, whatever the boot had started",
    scenario(withSources({ suite: "bookworm" }), async (stage) => {
      const { host } = stage;
      await outdated(stage);
      const begun: ChangeBegun = { before: "running", since: now() };
      await host.powerCut();
      await host.boot();
      await unitIs(host, "active");
      // The repair after the boot: what the boot started runs the old file.
      await host.mustRun(upgrade);
      expect((await agentProcess(host))?.speaks).toContain("15.4.5");
      expect(await change(host, [], { begun, how: "reload-or-restart" })).toMatchObject({
        activated: "svc.service was restarted and runs it",
      });
      expect((await agentProcess(host))?.speaks).toContain("15.4.6");
      await host.powerCut();
      await host.boot();
      await unitIs(host, "active");
      const { pid } = (await agentProcess(host)) ?? {};
      expect(await change(host, [], { begun })).toMatchObject({ activated: "svc.service runs it" });
      expect((await agentProcess(host))?.pid).toBe(pid);
    }),
  );

  test(
    "waits for the transaction that lives on",
    scenario(withSources({ suite: "bookworm" }), async ({ host }) => {
      await decideTo(host, "await");
      expect(await outcome(host)).toEqual({ told: [] });
      const transaction = ["systemd-run", "--unit=svc-upgrade-transaction.service", "--collect", "--quiet"];
      await host.mustRun([...transaction, "sh", "-c", "sleep 3; touch /root/done"]);
      expect(await outcome(host)).toEqual({
        told: ["notice: a transaction is still under way that was begun before; waiting for its end"],
      });
      expect(await isThere(host, "/root/done")).toBe(true);
    }),
  );
});
