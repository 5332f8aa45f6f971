import { expect, test } from "vitest";
import { installBuilt } from "./built-package.ts";
import { clusterPackage, configure, tctl, unit } from "./cluster/on-host.ts";
import type { Host } from "./lab/host.ts";
import { scenario } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { tick, withUpdater } from "./updater.ts";

const schedule = "/etc/svc-upgrade.d/schedule";

/** Hours away from now, whenever it is played. */
function maintenance(hours: number): string {
  const hour = (new Date().getUTCHours() + hours) % 24;
  return `kind: cluster_maintenance_config\nspec:\n  agent_upgrades:\n    utc_start_hour: ${hour}\n`;
}

type Entry = {
  readonly services: readonly string[];
  readonly upgrader: string;
  readonly updater?: { readonly installed: string; readonly served: string; readonly window: string; readonly decision?: object };
};

async function inventory(host: Host): Promise<readonly Entry[]> {
  const answer = JSON.parse(await tctl(host, "inventory", "ls", "--format", "json")) as { readonly instances: readonly Entry[] };
  return answer.instances.filter(({ services }) => services.includes("node"));
}

const longestMs = 60_000;

test(
  "one window of the cluster reaches the updater of a host, and the inventory tells what that decided",
  scenario(withUpdater({ suite: "bookworm" }), async ({ host, versions }) => {
    await installBuilt(host, clusterPackage);
    versions.serve("default", { version: "v15.4.6" });
    await configure(host, "auth_service:\n  cluster_name: example.com\n  report_interval: 1s\n");
    await host.mustRun(["systemctl", "enable", "--now", "--quiet", unit]);
    await versions.authority.trustIn(host);
    // The schedule becomes the agent's: its unit says whose that is.
    await host.mustRun(["svc-upgrade", "enroll", "--endpoint", versions.httpsEndpoint]);
    await until("the host has reported", longestMs, async () =>
      (await inventory(host)).some(({ upgrader }) => upgrader === "unit") ? true : undefined,
    );
    expect(await tctl(host, "status")).toContain("1 host waits");
    await until("the schedule says that there is no window", longestMs, async () =>
      (await host.read(schedule)).includes("No maintenance window is configured") ? true : undefined,
    );

    await host.write("/root/maintenance.yaml", maintenance(10));
    expect(await tctl(host, "create", "/root/maintenance.yaml")).toContain("maintenance window has been updated");
    const written = await until("the schedule has the window", longestMs, async () => {
      const text = await host.read(schedule);
      return /^\d+ \d+$/m.test(text) ? text : undefined;
    });
    expect(await host.mustRun(["stat", "--format=%U %a", schedule])).toMatch(/^svc 6[04]4\n$/);
    expect((await host.mustRun(["svc-upgrade", "schedule"])).toLowerCase()).toContain("closed until");

    expect(await tick(host)).toBe(0);
    await until("the inventory has the decision", longestMs, async () => {
      const [entry] = await inventory(host);
      return JSON.stringify(entry?.updater?.decision ?? {}).includes("outside-window") ? true : undefined;
    });
    expect(await inventory(host)).toMatchObject([
      { upgrader: "unit", updater: { installed: "15.4.5", served: "15.4.6", window: "schedule", decision: { kind: "stay" } } },
    ]);
    expect(await tctl(host, "inventory", "ls", "--upgrader=none")).not.toContain("node");

    await host.write("/root/maintenance.yaml", maintenance(14));
    await tctl(host, "create", "-f", "/root/maintenance.yaml");
    await host.mustRun(["systemctl", "reload", unit]);
    await until("another window is another schedule", longestMs, async () =>
      (await host.read(schedule)) === written ? undefined : true,
    );
    await host.mustRun(["systemctl", "restart", unit]);
    expect(await host.read(schedule)).toMatch(/^\d+ \d+$/m);
  }),
);
