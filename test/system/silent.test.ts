import { describe, expect, test } from "vitest";
import { hostileHost, mendSchedule, pass } from "./hostile/play.ts";
import { allowMounts, missingForSilence, silence, speak } from "./hostile/silent.ts";
import { suites } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { configure, installUpdater, withUpdater } from "./updater.ts";

if (missingForSilence !== undefined) console.warn(`SKIPPED: file systems that never answer: ${missingForSilence}`);

const directory = "/etc/svc-upgrade.d";
const looking: readonly string[] = ["status", "doctor", "dry-run", "schedule"];

/** A hang is not ended by any signal, so what may hang is started and then watched. */
const longestMs = 40_000;

function barredBy(point: string): string {
  return `it lies on ${point}, where user 1000 has mounted a file system of its own (fuse), and only root's are entered`;
}

function wayFree(point: string): readonly string[] {
  return ["umount", "--force", "--lazy", point];
}

async function silentHost(stage: Stage): Promise<Host> {
  await hostileHost(stage);
  await allowMounts(stage);
  // The unit makes its directories when it is first started.
  expect((await pass(stage.host)).status).toBe(0);
  return stage.host;
}

function made(host: Host, name: string): Promise<true> {
  return until(`${name} is there`, 20_000, async () => {
    const { status } = await host.enter(["test", "-e", `/var/lib/svc-upgrade-decide/${name}`]);
    return status === 0 ? true : undefined;
  });
}

describe.skipIf(missingForSilence !== undefined).each(suites)("a file system that never answers, on %s", (suite) => {
  test(
    "in the place of the schedule holds up no pass and no look, is named, and is gone by what is said",
    scenario(withUpdater({ suite, besides: ["fuse3"] }), async (stage) => {
      const host = await silentHost(stage);
      for (const [point, options] of [
        [directory, "allow_other"],
        [`${directory}/schedule`, "allow_other"],
        [directory, "default_permissions"],
      ] as const) {
        await silence(host, point, options);
        const met = await pass(host);
        const why = `no valid schedule: the file is not used: ${barredBy(point)}; take it away: \`sudo ${wayFree(point).join(" ")}\``;
        expect([point, met.status, met.said]).toEqual([point, 0, expect.stringContaining(why)]);
        for (const command of looking) {
          const { stdout, stderr } = await host.run(["svc-upgrade", command], { timeoutMs: longestMs });
          const said = `${stdout}${stderr}`.replaceAll(/\s+/g, " ");
          expect([point, command, said]).toEqual([point, command, expect.stringContaining(barredBy(point))]);
          expect(said).toContain(wayFree(point).join(" "));
        }
        await host.mustRun(wayFree(point), { timeoutMs: longestMs });
        const after = await pass(host);
        expect([point, after.status, after.said]).toEqual([point, 0, expect.stringContaining("outside the maintenance window")]);
        await mendSchedule(host);
      }
    }),
  );

  test(
    "that is mounted while the deciding unit runs does not get into it",
    scenario(withUpdater({ suite, besides: ["fuse3"] }), async (stage) => {
      const host = await silentHost(stage);
      const line = "touch came; until [ -e go ]; do sleep 0.1; done; cat /proc/self/mountinfo >mounts; touch went";
      const dropIn = `[Service]\nWorkingDirectory=/var/lib/svc-upgrade-decide\nExecStart=\nExecStart=/bin/sh -c "${line}"\n`;
      await host.write("/etc/systemd/system/svc-upgrade.service.d/wait.conf", dropIn);
      await host.mustRun(["systemctl", "daemon-reload"]);
      await host.mustRun(["systemctl", "start", "--no-block", "svc-upgrade.service"]);
      await made(host, "came");
      await silence(host, directory);
      await host.write("/var/lib/svc-upgrade-decide/go", "");
      await made(host, "went");
      const mounts = await host.read("/var/lib/svc-upgrade-decide/mounts");
      expect(mounts).toContain(" /var/lib/svc-upgrade-decide ");
      expect(mounts).not.toContain(directory);
      await speak(host);
    }),
  );
});

describe.skipIf(missingForSilence !== undefined)("a file system that never answers", () => {
  test(
    "holds up neither a pass nor systemd in the place of the agent's environment",
    scenario(withUpdater({ suite: "bookworm", besides: ["fuse3"] }), async (stage) => {
      const host = await silentHost(stage);
      const environment = "/etc/default/svc";
      await host.write(environment, "HTTP_PROXY=\n", { owner: "ordinary:" });
      expect((await pass(host)).status).toBe(0);
      await silence(host, environment);
      const met = await pass(host);
      const said = `the proxies that it last held count path=${environment} why="${barredBy(environment)}`;
      expect([met.status, met.said]).toEqual([0, expect.stringContaining(said)]);
      for (const command of ["status", "doctor", "dry-run", "route https://outer.test"]) {
        const { stdout, stderr } = await host.run(["svc-upgrade", ...command.split(" ")], { timeoutMs: longestMs });
        expect([command, `${stdout}${stderr}`.replaceAll(/\s+/g, " ")]).toEqual([
          command,
          expect.stringContaining(barredBy(environment)),
        ]);
      }
      await host.mustRun(wayFree(environment), { timeoutMs: longestMs });
      const after = await pass(host);
      expect([after.status, after.said]).toEqual([0, expect.not.stringContaining("cannot be read")]);
    }),
  );

  test(
    "holds up neither enroll, unenroll, an upgrade of the updater nor its purge in the place of the schedule",
    scenario(withUpdater({ suite: "bookworm", besides: ["fuse3"] }), async (stage) => {
      const host = await silentHost(stage);
      const enroll = ["enroll", "--endpoint", stage.versions.httpEndpoint, "--agent-user", "ordinary"];
      for (const point of [directory, `${directory}/schedule`]) {
        await silence(host, point);
        const refused = await host.run(["svc-upgrade", ...enroll], { timeoutMs: longestMs });
        expect([refused.status, refused.stderr]).toEqual([
          78,
          expect.stringContaining(`${point} is not looked at: ${barredBy(point)}`),
        ]);
        await host.mustRun(wayFree(point), { timeoutMs: longestMs });
        await host.mustRun(["svc-upgrade", ...enroll]);

        await silence(host, point);
        const kept = await host.run(["svc-upgrade", "unenroll"], { timeoutMs: longestMs });
        expect([kept.status, kept.stderr]).toEqual([
          78,
          expect.stringContaining(`\`sudo ${wayFree(point).join(" ")}\`; then again`),
        ]);
        await host.mustRun(wayFree(point), { timeoutMs: longestMs });
        await host.mustRun(["svc-upgrade", "unenroll"]);
        await mendSchedule(host);
      }
      await silence(host, `${directory}/schedule`);
      await installUpdater(host);
      const purged = await host.run(["dpkg", "--purge", "svc-ent-updater"], { timeoutMs: longestMs });
      expect([purged.status, purged.stderr]).toEqual([
        0,
        expect.stringContaining(`svc-ent-updater leaves ${directory}, where somebody has mounted a file system; take that away`),
      ]);
      await host.mustRun(wayFree(`${directory}/schedule`), { timeoutMs: longestMs });
    }),
  );

  test(
    "holds up what the agent's own program does in it, and no more: the pass ends without that program",
    scenario(withUpdater({ suite: "bookworm", besides: ["fuse3"] }), async (stage) => {
      const host = await silentHost(stage);
      const usual = await host.read("/etc/svc-upgrade/50-test.yaml");
      await configure(host, `${usual}agent: {version_command: [cat, /srv/agent/version]}\n`);
      await host.mustRun(["sh", "-c", "mkdir /srv/agent && chown ordinary: /srv/agent"]);
      // From 252 on systemd waits for what is left of a unit for this long.
      await host.write("/etc/systemd/system/svc-upgrade.service.d/stop.conf", "[Service]\nTimeoutStopSec=2s\n");
      await host.mustRun(["systemctl", "daemon-reload"]);
      await silence(host, "/srv/agent");
      const met = await pass(host);
      expect([met.status, met.said]).toEqual([0, expect.stringContaining("it prints no version within 15 s")]);
      expect((await host.enter(["pgrep", "--full", "^cat /srv/agent/version"])).status).toBe(0);
      await host.mustRun(wayFree("/srv/agent"), { timeoutMs: longestMs });
      await configure(host, usual);
      expect((await pass(host)).said).toContain("outside the maintenance window");
    }),
  );

  test(
    "holds up nobody in the place of the agent's configuration, its binary, a certificate or the metrics",
    scenario(withUpdater({ suite: "bookworm", besides: ["fuse3"] }), async (stage) => {
      const host = await silentHost(stage);
      const { httpsEndpoint } = stage.versions;
      await host.mustRun([
        "sh",
        "-c",
        "mkdir /srv/agent && chown ordinary: /srv/agent && ln -s /srv/agent/svc.yaml /etc/svc.yaml",
      ]);
      const usual = await host.read("/etc/svc-upgrade/50-test.yaml");
      await silence(host, "/srv/agent");
      const barred = barredBy("/srv/agent");
      for (const [settings, status, says] of [
        ["channel: default\n", 78, `/etc/svc.yaml: ${barred}`],
        [`${usual}agent: {version_command: [/srv/agent/svc, version]}\n`, 78, `/srv/agent/svc is not looked at: ${barred}`],
        [`endpoint: ${httpsEndpoint}\nca_file: /srv/agent/ca.pem\n`, 78, `ca_file /srv/agent/ca.pem cannot be used: ${barred}`],
        [`${usual}metrics_file: /srv/agent/svc.prom\n`, 0, `/srv/agent/svc.prom is not looked at: ${barred}`],
      ] as const) {
        await configure(host, settings);
        const met = await pass(host);
        expect([settings, met.status, met.said]).toEqual([settings, status, expect.stringContaining(says)]);
        expect(met.said).toContain(`sudo ${wayFree("/srv/agent").join(" ")}`);
        for (const command of ["status", "doctor", "dry-run"]) await host.run(["svc-upgrade", command], { timeoutMs: longestMs });
      }
      await configure(host, usual);
      await host.mustRun(wayFree("/srv/agent"), { timeoutMs: longestMs });
      await host.mustRun(["rm", "/etc/svc.yaml"]);
      expect((await pass(host)).said).toContain("outside the maintenance window");
    }),
  );
});
