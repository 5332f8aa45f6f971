import { describe, expect, test } from "vitest";
import { downloadPackage, reversion } from "./lab/debian-package.ts";
import { scenario } from "./lab/scenario.ts";
import { configure, installedVersion, schedule, tick, withUpdater } from "./updater.ts";

const name = "prometheus-node-exporter";
const unit = `${name}.service`;

describe("a package of other people upgrades by settings alone", () => {
  const rows = [
    ["a revision in its version", "1.4.9-1", "1.5.0-1+b6"],
    ["an epoch in its version", "1:1.4.9-3", "1:1.5.0-1"],
    ["a prerelease of its version installed", "1.5.0~rc.1-1", "1.5.0-1"],
  ] as const;
  for (const [title, from, to] of rows) {
    test(
      title,
      scenario(withUpdater({ suite: "bookworm" }), async ({ host, repository, versions }) => {
        const original = [await downloadPackage(host, name)];
        for (const version of [from, to]) await repository.publish(...(await reversion(host, original, version)));
        await host.mustRun(["apt-get", "update"]);
        await host.mustRun(["apt-get", "install", "-y", "--no-install-recommends", `${name}=${from}`], {
          env: { DEBIAN_FRONTEND: "noninteractive" },
        });
        versions.serve("exporters", { version: "1.5.0" });
        await configure(
          host,
          `endpoint: ${versions.httpEndpoint}\nallow_plain_http: true\nchannel: exporters\nagent: {package: ${name}, unit: ${unit}}\n`,
        );
        await schedule(host, "open");
        const before = await host.mustRun(["systemctl", "show", "-p", "MainPID", "--value", unit]);
        expect(await tick(host)).toBe(0);
        expect(await installedVersion(host, name)).toBe(to);
        expect((await host.run(["systemctl", "is-active", unit])).stdout.trim()).toBe("active");
        expect(await host.mustRun(["systemctl", "show", "-p", "MainPID", "--value", unit])).not.toBe(before);
      }),
    );
  }
});
