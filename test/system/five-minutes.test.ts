import { basename } from "node:path";
import { expect, test } from "vitest";
import { excerpt } from "../documents.ts";
import { builtPackage } from "./built-package.ts";
import { buildAgent, installAgent } from "./lab/agent.ts";
import { scenario } from "./lab/scenario.ts";
import { installedVersion } from "./updater.ts";

test(
  "the README's five minutes are typed as they stand, on a host that has the agent, a repository and a channel",
  scenario({ suite: "bookworm" }, async ({ host, repository, versions }) => {
    await repository.publish(await buildAgent(host, { version: "15.4.5" }), await buildAgent(host, { version: "15.4.6" }));
    await installAgent(host, "15.4.5");
    await host.mustRun(["mkdir", "/root/dist"]);
    const path = await builtPackage("svc-ent-updater", "deb");
    await host.copyIn(path, `/root/dist/${basename(path)}`);
    versions.serve("default", { version: "v15.4.6" });
    await versions.authority.trustIn(host);
    const text = excerpt("five-minutes").replace("https://proxy.example.com", versions.httpsEndpoint);
    const said = await host.mustRun(["sh", "-euc", `cd /root\n${text}`], { timeoutMs: 300_000 });
    expect(said).toMatch(/^an upgrade is available \(15\.4\.5 -> 15\.4\.6\)$/m);
    const upgraded = /^\w{3} \d{4}-\d\d-\d\d \d\d:\d\d \S+ {2}upgraded from 15\.4\.5 to 15\.4\.6, \d+ s \((?:window|asked)\)$/m;
    // After :45 the window is the next hour's, and what the README says then is typed.
    if (said.includes("outside the maintenance window")) {
      expect(said).toMatch(/^Nothing was upgraded or tried on this host yet\.$/m);
      expect(await host.mustRun(["svc-upgrade", "run", "--now"], { timeoutMs: 180_000 })).toContain(
        "upgraded (15.4.5 -> 15.4.6)",
      );
      expect(await host.mustRun(["svc-upgrade", "history"])).toMatch(upgraded);
    } else {
      expect(said).toMatch(/^upgraded \(15\.4\.5 -> 15\.4\.6\)$/m);
      expect(said).toMatch(upgraded);
    }
    expect(said).toMatch(/^schedule {4}/m);
    expect(await installedVersion(host)).toBe("15.4.6");
    expect((await host.mustRun(["systemctl", "is-active", "svc-upgrade.timer"])).trim()).toBe("active");
  }),
);
