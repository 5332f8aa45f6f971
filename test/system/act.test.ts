import { describe, expect, test } from "vitest";
import { actingUnit, decidingUnit, endOfPass, tick as tickQuietly, transactionUnit } from "../faults/pass.ts";
import { cgroupOf, killAll, processesIn } from "../faults/strike.ts";
import { buildAgent } from "./lab/agent.ts";
import { suites, rpmSuites, type Suite } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { scenario, type LabTest, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { expectRunning, lastPass } from "./moves.ts";
import { configure, outdatedHost, runNow, schedule, tick, withUpdater } from "./updater.ts";

const socket = "/run/svc-upgrade-act.socket";

async function isActive(host: Host, unit: string): Promise<boolean> {
  return (await host.enter(["systemctl", "is-active", "--quiet", unit])).status === 0;
}

/** A host in its window, whose next version takes some seconds to install. */
function withSlowVersion(suite: Suite, play: (stage: Stage) => Promise<void>): LabTest {
  return scenario(withUpdater({ suite }), async (stage) => {
    const { host, repository, versions } = stage;
    await outdatedHost(stage);
    await repository.publish(await buildAgent(host, { version: "15.4.7", scripts: "slow" }));
    versions.serve("default", { version: "v15.4.7" });
    await schedule(host, "open");
    await play(stage);
  });
}

async function beginInstallation(host: Host): Promise<void> {
  await host.mustRun(["systemctl", "start", "--no-block", decidingUnit]);
  await until("the package's own script runs", 60_000, async () => {
    const { status } = await host.enter(["pgrep", "--full", "--exact", "sleep 4"]);
    return status === 0 ? true : undefined;
  });
}

async function shownOf(host: Host, property: string): Promise<string> {
  return (await host.mustRun(["systemctl", "show", `--property=${property}`, "--value", actingUnit])).trim();
}

async function killUnit(host: Host, unit: string): Promise<void> {
  expect(await killAll(await cgroupOf(host, unit))).toBe(true);
}

describe("the acting unit", () => {
  for (const suite of [...suites, ...rpmSuites]) {
    test(
      `works for a pass that moves, ends with it, and runs for no other, on ${suite}`,
      scenario(withUpdater({ suite }), async (stage) => {
        const { host } = stage;
        await outdatedHost(stage);
        await schedule(host, "closed");
        expect(await tick(host)).toBe(0);
        expect(await shownOf(host, "ExecMainStartTimestampMonotonic")).toBe("0");
        await schedule(host, "open");
        expect(await tick(host)).toBe(0);
        await expectRunning(host, "15.4.6");
        expect(await shownOf(host, "ExecMainStartTimestampMonotonic")).not.toBe("0");
        await until("it ends", 10_000, async () => ((await isActive(host, actingUnit)) ? undefined : true));
        expect(await shownOf(host, "Result")).toBe("success");
      }),
    );
  }

  test(
    "may be killed in the middle of an installation: that goes on to its end, and the pass after it",
    withSlowVersion("bookworm", async ({ host }) => {
      await beginInstallation(host);
      await killUnit(host, actingUnit);
      expect(await endOfPass(host)).toBe(0);
      await expectRunning(host, "15.4.7");
      expect(await lastPass(host)).toMatchObject({ outcome: { kind: "moved" } });
    }),
  );

  test(
    "ends what it is at where the pass is killed, and the next pass goes on from there",
    withSlowVersion("bookworm", async ({ host }) => {
      await beginInstallation(host);
      await killUnit(host, decidingUnit);
      expect(await processesIn(await cgroupOf(host, transactionUnit))).not.toEqual([]);
      expect(await isActive(host, actingUnit)).toBe(true);
      expect(await tick(host)).toBe(0);
      await expectRunning(host, "15.4.7");
      const { rejected } = JSON.parse(await host.mustRun(["svc-upgrade", "status", "--json"])) as { rejected: unknown };
      expect(rejected).toEqual([]);
    }),
  );

  test(
    "tells the deciding unit of the agent's unit where there is no message bus, and there all goes as elsewhere",
    scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
      const { host, repository, versions } = stage;
      await outdatedHost(stage);
      await schedule(host, "open");
      await repository.publish(await buildAgent(host, { version: "15.4.7", start: "crashes" }));
      // Whoever asks for the lab's sake goes without the bus as well.
      const typed = async (line: string): Promise<number | undefined> => (await host.enter(["sh", "-c", line])).status;
      expect(await typed("systemctl mask --now --quiet dbus.socket dbus.service && rm -f /run/dbus/system_bus_socket")).toBe(0);
      expect(await tickQuietly(host)).toBe(0);
      versions.serve("default", { version: "v15.4.7" });
      expect(await tickQuietly(host)).toBe(10);
      // Of the agent's unit nothing that it could not see.
      expect(await typed("journalctl -q -u svc-upgrade -p warning -o cat | grep -q 'could not be'")).not.toBe(0);
      expect(await typed("systemctl unmask --quiet dbus.socket dbus.service && systemctl start dbus.socket")).toBe(0);
      await expectRunning(host, "15.4.6");
      expect(await lastPass(host)).toMatchObject({ outcome: { kind: "undone" } });
    }),
  );

  test(
    "goes by the settings of the deciding unit, its variables among them, and by none that a pass could make up",
    scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await schedule(host, "open");
      const variables =
        '[Service]\nEnvironment="SVC_UPGRADE_HEALTH_COMMAND=/bin/sh -c false" SVC_UPGRADE_AGENT_UNIT=svc.service\n';
      await host.write("/etc/systemd/system/svc-upgrade.service.d/settings.conf", variables);
      await host.mustRun(["systemctl", "daemon-reload"]);
      // A check that is never content says nothing of the new version: it was not before either.
      expect(await tick(host)).toBe(11);
      expect(await lastPass(host)).toMatchObject({ outcome: { step: "health" } });
    }),
  );

  test(
    "where it is masked nothing moves, and the fault says what to type",
    scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await schedule(host, "open");
      await host.mustRun(["systemctl", "mask", "--now", "--quiet", "svc-upgrade-act.socket"]);
      expect(await tick(host)).toBe(71);
      const { outcome } = await lastPass(host);
      expect(outcome.fault).toMatchObject({
        code: "os-failed",
        hint: expect.stringContaining("systemctl unmask svc-upgrade-act.socket"),
      });
      await expectRunning(host, "15.4.5");
      const doctor = await host.run(["svc-upgrade", "doctor"]);
      expect(doctor.stdout).toContain("sudo systemctl unmask svc-upgrade-act.socket");
      await host.mustRun(["systemctl", "unmask", "--quiet", "svc-upgrade-act.socket"]);
      expect((await runNow(host)).status).toBe(0);
      await expectRunning(host, "15.4.6");
    }),
  );

  test(
    "keeps what the agent said last for the journal's readers, and tells others where it lies",
    scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
      const { host, repository, versions } = stage;
      await outdatedHost(stage);
      await repository.publish(await buildAgent(host, { version: "15.4.7", start: "crashes" }));
      versions.serve("default", { version: "v15.4.7" });
      await schedule(host, "open");
      expect(await tick(host)).toBe(10);
      expect(await host.read("/var/lib/svc-upgrade-decide/state.json")).not.toContain("cannot start");
      const files = await host.mustRun(["find", "/var/lib/svc-upgrade/evidence", "-type", "f", "-printf", "%m %u %g\\n"]);
      expect(files).toBe("640 root systemd-journal\n");
      const status = ["svc-upgrade", "status"];
      expect(await host.mustRun(status)).toContain("cannot start");
      const toOthers = await host.mustRun(status, { user: "ordinary" });
      expect(toOthers).not.toContain("cannot start");
      expect(toOthers).toMatch(/agent said +in \/var\/lib\/svc-upgrade\/evidence\/[0-9a-f]{8}$/m);
      const reader = { user: "ordinary", properties: ["SupplementaryGroups=systemd-journal"] };
      expect(await host.mustRun(status, reader)).toContain("cannot start");
    }),
  );

  test(
    "started by hand does nothing, and answers nobody but root",
    scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await schedule(host, "closed");
      await configure(host, "", "60-empty");
      expect(await tick(host)).toBe(0);
      await host.mustRun(["systemctl", "start", actingUnit]);
      await until("it gives up", 20_000, async () => ((await isActive(host, actingUnit)) ? undefined : true));
      expect(await host.journal(actingUnit)).toContain("no request came");
      const connect = `use IO::Socket::UNIX; print IO::Socket::UNIX->new(Peer => "${socket}") ? "in" : $!`;
      expect(await host.mustRun(["perl", "-e", connect], { user: "ordinary" })).toBe("Permission denied");
      expect(await host.mustRun(["perl", "-e", connect])).toBe("in");
    }),
  );
});
