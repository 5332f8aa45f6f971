import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { versionOf } from "../../packaging/project.ts";
import { builtPackage, formatOf, installBuilt } from "./built-package.ts";
import { clusterFile, clusterPackage, configure, dropIn, pin, runningCluster } from "./cluster/on-host.ts";
import { shown, unit, unitState, withCluster } from "./cluster/on-host.ts";
import type { Host } from "./lab/host.ts";
import { installPackage, refreshLists, removePackage } from "./lab/package-tools.ts";
import { scenario } from "./lab/scenario.ts";
import { addedSince, listing } from "./left-behind.ts";
import { mainProcess } from "./main-process.ts";
import { exposureOf } from "./sandbox/exposure.ts";

const version = versionOf("svc");
const stateFolder = ["stat", "--format=%A %U %G", "/var/lib/svc"];

describe.each(["bullseye", "yum"] as const)("the package svc-ent on %s", (suite) => {
  test(
    "comes by the package manager with three names of one executable, starts nothing, and says how to join where it is started",
    scenario({ suite }, async ({ host, repository }) => {
      await repository.publish(await builtPackage(clusterPackage, formatOf(host.family)));
      await refreshLists(host);
      await installPackage(host, clusterPackage, version);
      expect(await unitState(host)).toEqual({ enabled: "disabled", active: "inactive" });
      for (const program of ["svc", "tctl", "tsh"])
        expect(await host.mustRun([program, "version"])).toBe(`${program} ${version}\n`);
      expect(await host.mustRun(["readlink", "/usr/bin/tctl", "/usr/bin/tsh"])).toBe("svc\nsvc\n");
      expect(await host.mustRun(["getent", "passwd", "svc"])).toMatch(
        /^svc:x:\d+:\d+:Runs the services of the cluster:\/var\/lib\/svc:\/usr\/s?bin\/nologin\n$/,
      );
      expect(await host.mustRun(stateFolder)).toBe("drwx------ svc svc\n");
      const verify = host.family === "apt" ? ["dpkg", "--verify", clusterPackage] : ["rpm", "--verify", clusterPackage];
      expect(await host.mustRun(verify)).toBe("");

      // A plain host: it waits, and no restart goes round.
      await host.mustRun(["systemctl", "start", unit]);
      expect(await host.journal(unit)).toContain(
        "this host belongs to no cluster yet; to join one: `sudo svc join --auth-server",
      );
      expect(await unitState(host)).toEqual({ enabled: "disabled", active: "active" });
      expect(await shown(host, "NRestarts")).toBe("0");
    }),
  );

  test(
    "brings a unit that systemd understands and finds little exposed, each of it explained in the unit and in the documents",
    scenario(withCluster({ suite }), async ({ host }) => {
      const verified = await host.run(["systemd-analyze", "verify", "--man=no", `/usr/lib/systemd/system/${unit}`]);
      expect(verified).toMatchObject({ status: 0, stdout: "", stderr: "" });
      const { level, left, unexplained } = await exposureOf(host, unit, dropIn);
      expect(level).toBeLessThanOrEqual(1.8);
      expect(unexplained).toEqual([]);
      expect(left.filter((name) => !documented(name))).toEqual([]);
    }),
  );

  test(
    "is enabled and started where the configuration is there first; an upgrade restarts it where it runs, and only there",
    scenario({ suite }, async ({ host }) => {
      await configure(host, clusterFile());
      await installBuilt(host, clusterPackage);
      expect(await unitState(host)).toEqual({ enabled: "enabled", active: "active" });
      const [before, known] = [await mainProcess(host, unit), await pin(host)];
      await installBuilt(host, clusterPackage);
      const after = await mainProcess(host, unit);
      expect(after).not.toBe(before);
      expect(await host.mustRun(["readlink", `/proc/${after}/exe`])).toBe("/usr/bin/svc\n");
      expect(await pin(host)).toBe(known);
      expect(await host.read("/run/svc.pid")).toBe(`${after}\n`);

      await configure(host, "auth_service: {}\n");
      expect(await installBuilt(host, clusterPackage)).toContain("svc.service was not restarted");
      expect(await mainProcess(host, unit)).toBe(after);

      await configure(host, clusterFile());
      await host.mustRun(["systemctl", "disable", "--now", "--quiet", unit]);
      await installBuilt(host, clusterPackage);
      expect(await unitState(host)).toEqual({ enabled: "disabled", active: "inactive" });
      expect(await host.read("/run/svc.pid")).toBe("");
    }),
  );

  test(
    "leaves what svc-proxy serves to svc-proxy",
    scenario({ suite }, async ({ host }) => {
      await configure(host, clusterFile());
      await installBuilt(host, "svc-proxy");
      await host.mustRun(["systemctl", "enable", "--now", "--quiet", "svc-proxy.service"]);
      await installBuilt(host, clusterPackage);
      expect(await unitState(host)).toEqual({ enabled: "disabled", active: "inactive" });
      expect((await host.enter(["systemctl", "is-active", "svc-proxy.service"])).stdout).toBe("active\n");
    }),
  );

  test(
    "stops the service at its removal and leaves the cluster, which comes back with the package as it was",
    scenario({ suite }, async ({ host }) => {
      const before = await listing(host);
      await installBuilt(host, clusterPackage);
      await runningCluster(host);
      const known = await pin(host);
      await removePackage(host, clusterPackage);
      expect(await host.mustRun(["systemctl", "list-units", "--all", "--no-legend", "svc.service"])).toBe("");
      const left = (await addedSince(host, before)).filter((path) => !isClusters(path) && !isSchedule(path));
      expect(left).toEqual(host.family === "apt" ? leftOnDebian : []);

      await installBuilt(host, clusterPackage);
      expect(await unitState(host)).toEqual({ enabled: "enabled", active: "active" });
      expect(await pin(host)).toBe(known);

      await host.mustRun(["systemctl", "mask", "--now", "--quiet", unit]);
      await installBuilt(host, clusterPackage);
      expect(await host.mustRun(["readlink", `/etc/systemd/system/${unit}`])).toBe("/dev/null\n");
      // rpm has no purge, and systemd forgets no unit that is masked.
      if (host.family !== "apt") await host.mustRun(["systemctl", "unmask", unit]);
      const said = await purge(host);
      if (host.family === "apt") await host.mustRun(["systemctl", "unmask", unit]);
      if (host.family === "apt") expect(said).toContain("svc-ent leaves /var/lib/svc, which holds the cluster");
      const never = (await addedSince(host, before)).filter((path) => !isClusters(path));
      expect(host.family === "apt" ? never : never.filter((path) => !isSchedule(path))).toEqual([]);
      expect(await host.mustRun(stateFolder)).toBe("drwx------ svc svc\n");
      expect((await host.run(["test", "-s", "/var/lib/svc/auth/cluster.db"])).status).toBe(0);
    }),
  );
});

/** What says that it was enabled, and what dpkg calls a configuration. */
const leftOnDebian = ["/etc/needrestart", "/etc/needrestart/conf.d", "/etc/needrestart/conf.d/svc.conf"].concat([
  "/var/lib/svc-ent",
  "/var/lib/svc-ent/enabled-at-removal",
]);

function isClusters(path: string): boolean {
  return path === "/etc/svc.yaml" || /^\/var\/lib\/svc(\/|$)/.test(path);
}

function isSchedule(path: string): boolean {
  return /^\/etc\/svc-upgrade\.d(\/|$)/.test(path);
}

async function purge(host: Host): Promise<string> {
  const tool = host.family === "apt" ? "dpkg --purge" : "rpm --force-debian --erase";
  return host.mustRun(["sh", "-c", `${tool} ${clusterPackage} 2>&1`]);
}

const page = readFileSync(join(import.meta.dirname, "../../docs/cluster-installing.md"), "utf8").replaceAll("\\|", "|");

/** In the table of what the unit is exposed to. */
function documented(name: string): boolean {
  return page.split("\n").some((line) => line.startsWith("| `") && line.includes(`\`${name}\``));
}
