import { describe, expect, test } from "vitest";
import { decideTo, isThere, journal, outcome, outcomes } from "./deciding.ts";
import { agentProcess, buildAgent, installAgent, type AgentOptions } from "./lab/agent.ts";
import type { Suite } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { withSources } from "./sources.ts";

/** The oldest systemd and the newest one; the rest is seen on bookworm. */
const oldestAndNewest: readonly Suite[] = ["bullseye", "trixie"];
const transactionUnit = "svc-upgrade-transaction.service";

describe("the transaction", () => {
  for (const suite of oldestAndNewest) {
    test(
      `shows its output in the journal of svc-upgrade, reads it back, and hides its environment, on ${suite}`,
      scenario(withSources({ suite }), async ({ host }) => {
        await host.write("/etc/default/svc", "LD_PRELOAD=/nowhere.so\nLC_ALL=de_DE\n", { mode: "0600" });
        const shell = 'echo out; echo "secret=$SECRET lc=$LC_ALL preload=$LD_PRELOAD"; echo err >&2; exit 7';
        await decideTo(host, "transact", "sh", "-c", shell);
        const lines = 'out\nsecret=a"b$1\\d lc=C.UTF-8 preload=\nerr\n';
        expect(await outcome(host)).toMatchObject({ kind: "exited", status: 7, stdout: lines });
        expect(await journal(host)).toContain(lines);
        expect(await isThere(host, "/run/svc-upgrade/transaction.env")).toBeUndefined();
      }),
    );

    test(
      `tells its output beside the story of a pass, and nothing of systemd's own in it, on ${suite}`,
      scenario(withSources({ suite }), async ({ host }) => {
        await decideTo(host, "transact", "sh", "-c", "echo one; echo two");
        await outcome(host);
        expect(await journal(host)).toContain("one\ntwo\n");
        const story = await host.mustRun(["journalctl", "--quiet", "-u", "svc-upgrade", "-p", "notice", "-o", "cat"]);
        expect(story).not.toMatch(/svc-upgrade-transaction|a test|^(?:one|two)$/m);
      }),
    );

    test(
      `comes to its end although svc-upgrade.service is stopped, and is itself not stopped, on ${suite}`,
      scenario(withSources({ suite }), async ({ host }) => {
        await decideTo(host, "transact", "sh", "-c", "touch /root/begun; sleep 3; echo still here; touch /root/done");
        await host.mustRun(["systemctl", "start", "--no-block", "svc-upgrade.service"]);
        await until("the transaction begins", 20_000, () => isThere(host, "/root/begun"));
        await host.mustRun(["systemctl", "kill", "--signal=KILL", "svc-upgrade.service"]);
        await host.mustRun(["systemctl", "stop", "svc-upgrade.service", transactionUnit], { timeoutMs: 60_000 });
        expect(await isThere(host, "/root/done")).toBe(true);
        expect(await journal(host)).toContain("still here");
      }),
    );
  }

  test(
    "is over when its program is, whatever that leaves behind, and the next one can start",
    scenario(withSources({ suite: "bookworm" }), async ({ host }) => {
      for (const status of [3, 4]) {
        await decideTo(host, "transact", "sh", "-c", `sleep 1000 & echo over; exit ${status}`);
        await host.run(["systemctl", "start", "svc-upgrade.service"], { timeoutMs: 60_000 });
        const told = `{"kind":"exited","status":${status},"stdout":"over\\n"`;
        await until("the outcome is in the journal", 30_000, async () =>
          (await journal(host)).includes(told) ? true : undefined,
        );
      }
      expect((await host.enter(["pgrep", "--full", "sleep 1000"])).status).toBe(1);
    }),
  );

  test(
    "is waited for by a stop of svc-upgrade.service, which then still knows how it ended",
    scenario(withSources({ suite: "bookworm" }), async ({ host }) => {
      await decideTo(host, "transact", "sh", "-c", "touch /root/begun; sleep 2; echo the end; exit 3");
      await host.mustRun(["systemctl", "start", "--no-block", "svc-upgrade.service"]);
      await until("the transaction begins", 20_000, () => isThere(host, "/root/begun"));
      await host.mustRun(["systemctl", "stop", "svc-upgrade.service"], { timeoutMs: 60_000 });
      expect(await journal(host)).toContain('{"kind":"exited","status":3,"stdout":"the end\\n"');
    }),
  );

  test(
    "is waited for by a shutdown",
    scenario(withSources({ suite: "bookworm" }), async ({ host }) => {
      await decideTo(host, "transact", "sh", "-c", "touch /root/begun; sleep 3; touch /root/done; sync");
      await host.mustRun(["systemctl", "start", "--no-block", "svc-upgrade.service"]);
      await until("the transaction begins", 20_000, () => isThere(host, "/root/begun"));
      await host.powerOff();
      await host.boot();
      expect(await isThere(host, "/root/done")).toBe(true);
    }),
  );

  test(
    "refuses to be two at a time",
    scenario(withSources({ suite: "bookworm" }), async ({ host }) => {
      await host.mustRun(["systemd-run", `--unit=${transactionUnit}`, "--quiet", "sleep", "60"]);
      await decideTo(host, "transact", "true");
      expect(await outcome(host)).toMatchObject({ fault: { code: "busy" } });
    }),
  );
});

describe("the end of a transaction", () => {
  /** What comes back of a transaction in the middle of which something happens, and whether it was over by then. */
  async function endWith(host: Host, happens: readonly string[]): Promise<unknown> {
    await host.mustRun(["rm", "-f", "/root/begun", "/root/done"]);
    await decideTo(host, "transact", "sh", "-c", "touch /root/begun; sleep 3; touch /root/done; echo said; exit 7");
    const told = (await outcomes(host)).length;
    await host.enter(["systemctl", "start", "--no-block", "svc-upgrade.service"]);
    await until("the transaction begins", 20_000, () => isThere(host, "/root/begun"));
    const { status, stderr } = await host.enter(["sh", "-c", happens.join("; ")]);
    expect([status, stderr]).toEqual([0, ""]);
    const ended = await until("the outcome is in the journal", 30_000, async () => (await outcomes(host))[told]);
    return { ...(JSON.parse(ended) as object), isDone: await isThere(host, "/root/done") };
  }

  const inItsOwnWords = { kind: "exited", status: 7, stdout: "said\n", isDone: true };
  const killed = { kind: "killed", signal: "SIGKILL", isDone: undefined };
  const cgroup = `/sys/fs/cgroup/system.slice/${transactionUnit}`;

  for (const suite of ["bullseye", "bookworm", "trixie"] as const) {
    test(
      `is known whatever becomes of it, of the bus and of PID 1, on ${suite}`,
      scenario(withSources({ suite }), async ({ host }) => {
        expect(await endWith(host, ["systemctl daemon-reload"])).toMatchObject(inItsOwnWords);
        expect(await endWith(host, ["systemctl daemon-reexec"])).toMatchObject(inItsOwnWords);
        const bus = ["systemctl stop --quiet dbus.socket dbus.service 2>/dev/null", "sleep 5", "systemctl start dbus.socket"];
        expect(await endWith(host, bus)).toMatchObject(inItsOwnWords);
        const main = [`kill -KILL $(systemctl show --property=MainPID --value ${transactionUnit})`];
        expect(await endWith(host, main)).toMatchObject(killed);
        expect(await endWith(host, [`systemctl kill --signal=KILL ${transactionUnit}`])).toMatchObject(killed);
        expect(await endWith(host, [`echo 1 >${cgroup}/cgroup.kill`])).toMatchObject(killed);
        // Until nothing is left of it, nobody is left to write either. The folder is no sign of it: older systemd leaves
        // that behind when a process outlived the unit by a moment.
        const whole = [
          `(while :; do echo 1 >${cgroup}/cgroup.kill; done) 2>/dev/null &`,
          `while systemctl show --property=ActiveState --value ${transactionUnit} | grep -Eqvx "inactive|failed"; do :; done; kill $!`,
        ].join(" ");
        expect(await endWith(host, [whole])).toMatchObject(killed);
        expect(await isThere(host, "/run/svc-upgrade/transaction.env")).toBeUndefined();
      }),
    );
  }

  test(
    "is waited for no longer than that, and nothing is said of one that goes on",
    scenario(withSources({ suite: "bookworm" }), async ({ host }) => {
      await decideTo(host, "transact-within", "2000", "sh", "-c", "sleep 4; touch /root/done");
      expect(await outcome(host)).toMatchObject({ fault: { code: "busy" } });
      expect(await isThere(host, "/root/done")).toBeUndefined();
      await until("the transaction ends", 20_000, () => isThere(host, "/root/done"));
    }),
  );
});

describe("apt from the deciding unit's sandbox", () => {
  for (const suite of oldestAndNewest) {
    test(
      `sees a new version beside a dead source of somebody else, and installs it in four lines, on ${suite}`,
      scenario(withSources({ suite }), async ({ host, repository }) => {
        await repository.publish(await buildAgent(host, { version: "15.4.5" }));
        await installAgent(host, "15.4.5");
        await repository.publish(await buildAgent(host, { version: "15.4.6" }));
        await host.write("/etc/apt/sources.list.d/dead.list", "deb [trusted=yes] http://127.0.0.1:9/ ./\n");
        await decideTo(host, "apt", "svc-ent", "15.4.6");
        expect(await outcome(host)).toEqual({
          offers: ["15.4.6", "15.4.5"],
          installed: { kind: "present", packageVersion: "15.4.6", version: "15.4.6", condition: "whole", isHeld: false },
        });
        const lines = (await journal(host))
          .split("\n")
          .filter((line) => !/svc-upgrade|Decide|Change the agent|^\{|loopback|^$/.test(line));
        expect(lines.map((line) => line.replace(/ .*/, ""))).toEqual(["(Reading", "Preparing", "Unpacking", "Setting"]);
      }),
    );
  }

  test(
    "names the process that keeps the database locked",
    scenario(withSources({ suite: "bookworm" }), async ({ host, repository }) => {
      await repository.publish(await buildAgent(host, { version: "15.4.5" }), await buildAgent(host, { version: "15.4.6" }));
      await installAgent(host, "15.4.5");
      // An installation that waits for an answer: apt holds both locks meanwhile.
      await host.write("/etc/apt/apt.conf.d/hang", 'DPkg::Pre-Invoke { "touch /root/locked; sleep 600"; };\n');
      await host.mustRun(["systemd-run", "--quiet", "apt-get", "install", "--reinstall", "-y", "svc-ent=15.4.5"]);
      await until("apt holds its lock", 20_000, () => isThere(host, "/root/locked"));
      await decideTo(host, "apt", "svc-ent", "15.4.6");
      const busy = { code: "manager-busy", message: expect.stringMatching(/It is held by process \d+ \(apt-get\)$/) as string };
      expect(await outcome(host)).toMatchObject({ fault: busy });
    }),
  );
});

describe("activation", () => {
  async function upgrade({ host, repository }: Stage, options: Omit<AgentOptions, "version">, how: string): Promise<unknown> {
    await repository.publish(
      await buildAgent(host, { version: "15.4.5", ...options }),
      await buildAgent(host, { version: "15.4.6", ...options }),
    );
    await installAgent(host, "15.4.5");
    await decideTo(host, "activate", "svc.service", how, "apt-get", "-qq", "-y", "install", "svc-ent=15.4.6");
    return outcome(host);
  }

  const cases: readonly { title: string; options: Omit<AgentOptions, "version">; how: string; is: string }[] = [
    { title: "a reload that executes the new file", options: { reload: "exec" }, how: "reload-or-restart", is: "reloaded" },
    { title: "a reload that hands over to a new process", options: { reload: "fork" }, how: "reload-or-restart", is: "reloaded" },
    { title: "a reload that changes nothing", options: { reload: "reread" }, how: "reload-or-restart", is: "restarted" },
    { title: "a restart that is asked for", options: { reload: "exec" }, how: "restart", is: "restarted" },
    {
      title: "a package that restarts by itself",
      options: { reload: "exec", scripts: "restart" },
      how: "reload-or-restart",
      is: "already runs the new file",
    },
  ];
  for (const { title, options, how, is } of cases) {
    test(
      `ends with the new file running after ${title}`,
      scenario(withSources({ suite: "bookworm" }), async (stage) => {
        expect(await upgrade(stage, options, how)).toMatchObject({ transacted: { status: 0 }, activated: is });
        const agent = await agentProcess(stage.host);
        expect(agent).toMatchObject({ executable: "/usr/bin/svc" });
        expect(agent?.speaks).toContain("15.4.6");
      }),
    );
  }

  for (const suite of oldestAndNewest) {
    test(
      `restarts after a reload that changes nothing, on ${suite}`,
      scenario(withSources({ suite }), async (stage) => {
        const upgraded = await upgrade(stage, { reload: "reread" }, "reload-or-restart");
        expect(upgraded).toMatchObject({ activated: "restarted" });
        expect((await agentProcess(stage.host))?.speaks).toContain("15.4.6");
      }),
    );
  }

  test(
    "leaves stopped what an admin has stopped",
    scenario(withSources({ suite: "bookworm" }), async ({ host }) => {
      await host.write(
        "/etc/systemd/system/svc.service",
        "[Service]\nExecStart=sleep 600\n[Install]\nWantedBy=multi-user.target\n",
      );
      await host.mustRun(["systemctl", "enable", "--quiet", "svc.service"]);
      await decideTo(host, "activate", "svc.service", "restart", "true");
      expect(await outcome(host)).toMatchObject({ activated: "left stopped" });
      expect(await agentProcess(host)).toBeUndefined();
    }),
  );

  test(
    "starts an enabled unit that had failed, even one that failed too often to be started",
    scenario(withSources({ suite: "bookworm" }), async ({ host }) => {
      const unit =
        "[Unit]\nStartLimitBurst=1\nStartLimitIntervalSec=1h\n[Service]\nExecStart=/root/svc\n[Install]\nWantedBy=multi-user.target\n";
      await host.write("/etc/systemd/system/svc.service", unit);
      await host.write("/root/svc", "#!/bin/sh\nexit 1\n", { mode: "0755" });
      await host.run(["systemctl", "enable", "--now", "--quiet", "svc.service"]);
      await until("the unit fails", 20_000, async () =>
        (await host.enter(["systemctl", "is-failed", "--quiet", "svc.service"])).status === 0 ? true : undefined,
      );
      const mend = 'echo "#!/bin/sh" >/root/svc; echo "exec sleep 600" >>/root/svc';
      await decideTo(host, "activate", "svc.service", "restart", "sh", "-c", mend);
      expect(await outcome(host)).toMatchObject({ activated: "started" });
    }),
  );
});
