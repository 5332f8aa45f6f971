import { describe, expect, test } from "vitest";
import { buildPackage } from "./lab/package.ts";
import { refreshLists } from "./lab/package-tools.ts";
import { scenario } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { configure, installedVersion, outdatedHost, schedule, tick, withUpdater } from "./updater.ts";

/** What a running pass has mapped is replaced, as by an upgrade of a library or of the updater itself. */
const replacesTheUpdater =
  "cp -p /usr/bin/svc-upgrade /usr/bin/svc-upgrade.new\nmv /usr/bin/svc-upgrade.new /usr/bin/svc-upgrade\n";

const automatic = "$nrconf{restart} = 'a';\n$nrconf{kernelhints} = 0;\n$nrconf{ucodehints} = 0;\n";

describe.each(["bookworm", "trixie"] as const)("needrestart on %s", (suite) => {
  test(
    "that restarts by itself what an admin's apt has replaced lets a pass be, and says so",
    scenario(withUpdater({ suite, besides: ["needrestart"] }), async (stage) => {
      const { host, repository } = stage;
      await host.write("/etc/needrestart/conf.d/zz-test.conf", automatic);
      await outdatedHost(stage);
      await configure(host, "health: {settle: 30s}\n", "60-test");
      await repository.publish(
        await buildPackage(host, { name: "library", version: "1.0", scripts: { postinst: replacesTheUpdater } }),
      );
      await refreshLists(host);
      await schedule(host, "open");
      const pass = tick(host);
      await until("the version is there", 120_000, async () =>
        (await installedVersion(host)) === "15.4.6" && (await host.enter(["pidof", "apt-get"])).status === 1 ? true : undefined,
      );
      const told = await host.mustRun(["apt-get", "install", "-y", "library"], { timeoutMs: 180_000 });
      expect((await host.enter(["systemctl", "is-active", "svc-upgrade.service"])).stdout).toBe("activating\n");
      expect(told).toMatch(/Service restarts being deferred:\n(?:.*\n)*.*svc-upgrade\.service/);
      expect([await pass, await installedVersion(host)]).toEqual([0, "15.4.6"]);
      expect((await host.journal("svc-upgrade.service")).match(/^Starting /gm)).toHaveLength(1);
    }),
  );
});
