import { describe, expect, test } from "vitest";
import { excerpt } from "../documents.ts";
import { buildAgent } from "./lab/agent.ts";
import { rpmSuites, type Family } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { refreshLists } from "./lab/package-tools.ts";
import { scenario } from "./lab/scenario.ts";
import { outdatedHost, schedule, updaterPackage, withUpdater } from "./updater.ts";

function typed(host: Host, name: string): Promise<string> {
  return host.mustRun(["sh", "-euc", `cd /root\n${excerpt(name)}`], { timeoutMs: 180_000 });
}

async function told(host: Host, ...words: readonly string[]): Promise<unknown> {
  return JSON.parse(await host.mustRun(["svc-upgrade", ...words, "--json"]));
}

test(
  "blackouts, a local window, a freeze and a canary do on a host what the recipes say",
  scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
    const { host, versions } = stage;
    await outdatedHost(stage);
    await schedule(host, "open");
    // Bare hosts have no jq; what it picks is looked at here.
    await host.write("/usr/local/bin/jq", "#!/bin/sh\ncat\n", { mode: "0755" });
    await typed(host, "blackout");
    expect(await told(host, "dry-run", "--at", "2030-03-31T20:00:00Z")).toMatchObject({ decision: { why: "blackout" } });
    expect(await told(host, "dry-run")).toMatchObject({ decision: { why: "window" } });

    await typed(host, "yearly-freeze");
    expect(await told(host, "dry-run", "--at", "2031-01-01 23:59")).toMatchObject({ decision: { why: "blackout" } });
    expect(await told(host, "dry-run", "--at", "2031-01-02")).toMatchObject({ decision: { why: "schedule-stale" } });
    await host.mustRun(["rm", "/etc/svc-upgrade/30-blackouts.yaml"]);

    await host.mustRun(["ln", "-sfn", "/usr/share/zoneinfo/Europe/Berlin", "/etc/localtime"]);
    expect(await typed(host, "local-window")).toContain("the clocks show its start twice that day");
    expect(await told(host, "dry-run", "--at", "2030-10-27T00:30:00Z")).toMatchObject({ decision: { why: "window" } });
    await host.mustRun(["rm", "/etc/svc-upgrade/20-window.yaml"]);

    expect(await typed(host, "freeze")).toContain("year-end freeze");
    expect(await told(host, "dry-run")).toMatchObject({ decision: { why: "window" } });
    await typed(host, "freeze-file");
    versions.serve("default", { version: "v15.4.6", critical: "yes" });
    expect(await told(host, "dry-run")).toMatchObject({ decision: { why: "held", until: "2030-01-04T00:00:00Z" } });
    const unheld = await host.run(["svc-upgrade", "unhold"]);
    expect(unheld.stderr).toContain("/etc/svc-upgrade/90-freeze.yaml");
    await host.mustRun(["rm", "/etc/svc-upgrade/90-freeze.yaml"]);

    expect(await typed(host, "pin")).toMatch(
      /^Pinned: svc-ent 15\.4\.5 is installed and pinned[^]*^no version is pinned any more$/m,
    );
    await typed(host, "pin-file");
    expect(await told(host, "dry-run")).toMatchObject({ decision: { why: "pinned" }, pin: "15.4.5" });
    await host.mustRun(["rm", "/etc/svc-upgrade/90-audit.yaml"]);

    versions.serve("default", { version: "v15.4.5" });
    versions.serve("canary", { version: "v15.4.6" });
    expect(await typed(host, "canary-host")).toBe("an upgrade is available (15.4.5 -> 15.4.6)\n");
  }),
);

const recipes: Readonly<Record<Family, string>> = { apt: "mirror-apt", yum: "mirror-yum", zypper: "mirror-zypper" };

describe.each(["bookworm", ...rpmSuites] as const)("what the recipe for a mirror types on %s", (suite) => {
  test(
    "fetches the packages of one version",
    scenario({ suite }, async ({ host, repository }) => {
      const agents = ["15.4.5", "15.4.6", "15.4.60"].map((version) => buildAgent(host, { version }));
      const updater = await updaterPackage(host.family === "apt" ? "deb" : "rpm");
      await repository.publish(...(await Promise.all(agents)), updater);
      await refreshLists(host);
      await typed(host, recipes[host.family]);
      const fetched = (await host.mustRun(["ls", "/root/dist"])).trim().split("\n");
      expect(fetched.filter((name) => /^svc-ent[-_]15\.4\.6[-_]/.test(name))).toHaveLength(1);
      expect(fetched.filter((name) => name.startsWith("svc-ent-updater"))).toHaveLength(1);
      expect(fetched).toHaveLength(2);
    }),
  );
});
