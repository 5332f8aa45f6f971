import { describe, expect, test } from "vitest";
import { builtPackage, formatOf } from "./built-package.ts";
import { clusterPackage, configure, tctl } from "./cluster/on-host.ts";
import { buildAgent } from "./lab/agent.ts";
import type { Host } from "./lab/host.ts";
import { installPackage, refreshLists } from "./lab/package-tools.ts";
import { scenario } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { configure as configureUpdater, installedVersion, runNow, tick, withUpdater } from "./updater.ts";

type Entry = {
  readonly services: readonly string[];
  readonly hostname: string;
  readonly version: string;
  readonly updater?: { readonly outcome?: { readonly kind: string; readonly version: string; readonly fault?: string } };
};

async function hostIn(host: Host): Promise<Entry | undefined> {
  const answer = JSON.parse(await tctl(host, "inventory", "ls", "--format", "json")) as { readonly instances: readonly Entry[] };
  return answer.instances.find(({ services }) => services.includes("node"));
}

const longestMs = 60_000;
/** Less is left of an hour than a move may take: then an administrator asks for it, for how long a move takes here is not known. */
const longestMoveSeconds = 11 * 60;

/** One pass inside the cluster's window, which is this hour. */
async function pass(host: Host): Promise<number> {
  const left = 3600 - (Math.floor(Date.now() / 1000) % 3600);
  return left > longestMoveSeconds ? tick(host) : (await runNow(host)).status;
}

describe.each(["bookworm", "yum", "zypper"] as const)("the agent of the cluster's own on %s", (suite) => {
  test(
    "is moved in the window that it has brought, and taken back where it crashes; the inventory tells both",
    scenario(withUpdater({ suite }), async ({ host, repository, versions }) => {
      const format = formatOf(host.family);
      await repository.publish(
        await builtPackage(clusterPackage, format),
        await builtPackage(clusterPackage, format, "15.4.6"),
        await buildAgent(host, { version: "15.4.7", start: "crashes-later" }),
      );
      versions.serve("default", { version: "v15.4.6" });
      await configure(host, "auth_service:\n  cluster_name: example.com\n  report_interval: 1s\n");
      await refreshLists(host);
      await installPackage(host, clusterPackage, "15.4.5");
      await versions.authority.trustIn(host);
      await host.mustRun(["svc-upgrade", "enroll", "--endpoint", versions.httpsEndpoint]);
      await configureUpdater(host, "health: {settle: 2s}\n");
      // The hour that it is then: another one may begin meanwhile.
      await until("the window is open on the host", longestMs, async () => {
        const window = `utc_start_hour: ${new Date().getUTCHours()}`;
        await host.write("/root/window.yaml", `kind: cluster_maintenance_config\nspec: {agent_upgrades: {${window}}}\n`);
        await tctl(host, "create", "-f", "/root/window.yaml");
        return (await host.run(["svc-upgrade", "schedule"])).stdout.toLowerCase().includes("open until") ? true : undefined;
      });

      expect(await pass(host)).toBe(0);
      expect(await installedVersion(host)).toMatch(/^15\.4\.6\b/);
      expect(await host.mustRun(["svc", "version"])).toBe("svc 15.4.6\n");
      await until("the inventory has the move", longestMs, async () => {
        const { version, updater } = (await hostIn(host)) ?? {};
        return version === "15.4.6" && updater?.outcome?.kind === "moved" ? true : undefined;
      });

      versions.serve("default", { version: "v15.4.7" });
      await pass(host);
      expect(await host.mustRun(["svc", "version"])).toBe("svc 15.4.6\n");
      const entry = await until("the inventory names what was taken back", longestMs, async () => {
        const found = await hostIn(host).catch(() => undefined);
        return found?.updater?.outcome?.kind === "undone" ? found : undefined;
      });
      expect(entry).toMatchObject({
        version: "15.4.6",
        updater: {
          installed: "15.4.6",
          served: "15.4.7",
          rejected: ["15.4.7"],
          outcome: { version: expect.stringMatching(/^15\.4\.7\b/) },
        },
      });
      expect(await tctl(host, "inventory", "show", entry.hostname)).toMatch(/Rejected +15\.4\.7\n/);
    }),
  );
});
