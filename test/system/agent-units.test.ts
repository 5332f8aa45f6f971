import { describe, expect, test } from "vitest";
import type { StepName } from "../../src/updater/record/state.ts";
import { beginPass, endOfPass } from "../faults/pass.ts";
import { lastPass, recordOf } from "../faults/record.ts";
import { stepBegins } from "../faults/watch-step.ts";
import { buildAgent, installAgent, type AgentOptions } from "./lab/agent.ts";
import type { Suite } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { until } from "./lab/until.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { configure, installedVersion, schedule, tick, withUpdater } from "./updater.ts";

const suites: readonly Suite[] = ["bookworm", "trixie"];

/** One version behind, with what is said of the next one, and an agent whose unit is that one. */
async function outdated(
  { host, repository, versions }: Stage,
  next: Omit<AgentOptions, "version"> = {},
  unit: string = "svc.service",
): Promise<void> {
  await repository.publish(await buildAgent(host, { version: "15.4.5" }), await buildAgent(host, { version: "15.4.6", ...next }));
  await installAgent(host, "15.4.5");
  versions.serve("default", { version: "v15.4.6" });
  const agent = `agent: {package: svc-ent, unit: ${unit}, version_command: [svc, version], activate: restart}`;
  await configure(host, `endpoint: ${versions.httpEndpoint}\nallow_plain_http: true\n${agent}\nhealth: {settle: 4s}\n`);
  await schedule(host, "open");
}

async function doctorOnAgent(host: Host): Promise<{ readonly verdict: string; readonly told: string; readonly fix?: string }> {
  const { stdout } = await host.run(["svc-upgrade", "doctor", "--json"], { timeoutMs: 60_000 });
  const { checks } = JSON.parse(stdout) as {
    readonly checks: readonly { name: string; verdict: string; told: string; fix?: string }[];
  };
  const check = checks.find(({ name }) => name === "agent");
  if (check === undefined) throw new Error(`there is no check of the agent in ${stdout}`);
  return check;
}

async function journal(host: Host): Promise<string> {
  return host.journal("svc-upgrade.service");
}

/** Runs the pass of the timer, and has the agent's unit masked as soon as that step has begun. */
async function maskedIn(stage: Stage, step: StepName, how: readonly string[]): Promise<number> {
  await beginPass(stage.host);
  await stepBegins(stage.host, step);
  await stage.host.enter(["systemctl", "mask", ...how, "svc.service"]);
  return endOfPass(stage.host);
}

for (const suite of suites) {
  describe(`a unit that an administrator masks, on ${suite}`, () => {
    for (const [step, how] of [
      ["install", []],
      ["install", ["--now"]],
      ["health", []],
      ["health", ["--now"]],
    ] as const) {
      test(
        `in the step ${step}${how.length === 0 ? "" : ", and stops"}: nothing is undone or rejected`,
        scenario(withUpdater({ suite }), async (stage) => {
          const { host } = stage;
          await outdated(stage, { scripts: "slow" });
          expect(await maskedIn(stage, step, how)).toBe(0);
          expect(lastPass(host).outcome).toMatchObject({ kind: "moved" });
          expect(await installedVersion(host)).toBe("15.4.6");
          expect(recordOf(host)).toMatchObject({ rejected: [], needsOperator: undefined });
          expect(await journal(host)).toContain("svc.service is masked");
          expect(await doctorOnAgent(host)).toMatchObject({ verdict: "failed", fix: "sudo systemctl unmask svc.service" });
          expect(await tick(host)).toBe(0);
          await host.mustRun(["systemctl", "unmask", "svc.service"]);
          await host.mustRun(["systemctl", "restart", "svc.service"]);
        }),
      );
    }

    for (const step of ["back-install", "back-health"] as const) {
      test(
        `in the step ${step}: the bad version is rejected, and nobody is called`,
        scenario(withUpdater({ suite }), async (stage) => {
          const { host } = stage;
          await outdated(stage, { start: "crashes-later" });
          expect(await maskedIn(stage, step, ["--now"])).toBe(10);
          expect(lastPass(host).outcome).toMatchObject({ kind: "undone", step: "health", fault: { code: "unhealthy" } });
          expect(await installedVersion(host)).toBe("15.4.5");
          expect(recordOf(host)).toMatchObject({ rejected: [{ served: "15.4.6" }], needsOperator: undefined });
        }),
      );
    }
  });

  test(
    `an agent that is a script of the time before systemd is enabled, upgraded, and ill once nothing of it runs, on ${suite}`,
    scenario(withUpdater({ suite }), async (stage) => {
      const { host } = stage;
      await outdated(stage, {}, "old.service");
      await host.mustRun(["systemctl", "disable", "--now", "--quiet", "svc.service"]);
      await host.write("/etc/init.d/old", script, { mode: "0755" });
      await host.mustRun(["systemctl", "daemon-reload"]);
      await host.mustRun(["systemctl", "start", "old.service"]);
      expect(await doctorOnAgent(host)).toMatchObject({ verdict: "warning", fix: "sudo systemctl enable old.service" });
      for (const level of [2, 3, 4, 5]) {
        await host.mustRun(["sh", "-c", `mkdir -p /etc/rc${level}.d && ln -s ../init.d/old /etc/rc${level}.d/S01old`]);
      }
      await host.mustRun(["systemctl", "daemon-reload"]);
      expect(await doctorOnAgent(host)).toMatchObject({
        verdict: "ok",
        told: "old.service is active (running) and enabled",
      });
      expect(await tick(host)).toBe(0);
      expect(lastPass(host).outcome).toMatchObject({ kind: "moved" });
      const pid = await pidIn(host, "/run/old.pid");
      expect(await host.mustRun([`/proc/${pid}/exe`, "version"])).toContain("15.4.6");
      await host.mustRun(["kill", "-KILL", pid]);
      expect(await doctorOnAgent(host)).toMatchObject({
        verdict: "failed",
        told: "old.service is active (exited): no process of it is left; see why",
      });
      await tick(host);
      expect(recordOf(host).agent?.unhealthyPasses).toBe(1);
    }),
  );

  test(
    `an agent that its socket starts is well while nobody needs it, on ${suite}`,
    scenario(withUpdater({ suite }), async (stage) => {
      const { host } = stage;
      await outdated(stage, {}, "sock.service");
      await host.mustRun(["systemctl", "disable", "--now", "--quiet", "svc.service"]);
      await host.write("/etc/systemd/system/sock.service", "[Service]\nExecStart=/usr/bin/svc start --pid-file=/run/sock.pid\n");
      await host.write(
        "/etc/systemd/system/sock.socket",
        "[Socket]\nListenStream=/run/sock.s\n[Install]\nWantedBy=sockets.target\n",
      );
      await host.mustRun(["systemctl", "daemon-reload"]);
      const off = "sudo systemctl enable --now sock.socket";
      expect(await doctorOnAgent(host)).toMatchObject({ verdict: "warning", fix: off });
      await host.mustRun(off.split(" ").slice(1));
      const well = { verdict: "ok", told: "sock.service is inactive (dead); sock.socket starts it when it is needed" };
      expect(await doctorOnAgent(host)).toMatchObject(well);
      expect(await tick(host)).toBe(0);
      expect(lastPass(host).outcome).toMatchObject({ kind: "moved" });
      // Nobody needed it: nobody started it.
      expect(await doctorOnAgent(host)).toMatchObject(well);
      expect(await journal(host)).toContain("sock.service waits for its next start, and runs it then");
      await host.mustRun(["systemctl", "start", "sock.service"]);
      const pid = await pidIn(host, "/run/sock.pid");
      expect(await host.mustRun([`/proc/${pid}/exe`, "version"])).toContain("15.4.6");
      expect(await doctorOnAgent(host)).toMatchObject({ verdict: "ok", told: expect.stringContaining("is active (running)") });
    }),
  );
}

/** systemd calls a plain service started before it has written anything. */
function pidIn(host: Host, file: string): Promise<string> {
  return until(`${file} to be written`, 20_000, async () => {
    const said = await host.enter(["cat", file]);
    return said.status === 0 && said.stdout.trim() !== "" ? said.stdout.trim() : undefined;
  });
}

const script = `#!/bin/sh
### BEGIN INIT INFO
# Provides: old
# Required-Start: $remote_fs
# Required-Stop: $remote_fs
# Default-Start: 2 3 4 5
# Default-Stop: 0 1 6
# Short-Description: an agent of the time before systemd
### END INIT INFO
case "$1" in
start) start-stop-daemon --start --background --exec /usr/bin/svc -- start --pid-file=/run/old.pid ;;
stop) start-stop-daemon --stop --oknodo --retry 5 --pidfile /run/old.pid ;;
restart) "$0" stop; "$0" start ;;
esac
`;
