import { expect, test } from "vitest";
import { pin, runningCluster, tctl, unit, withCluster } from "./cluster/on-host.ts";
import { scenario } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";

test(
  "root makes the host's proxy a part of the cluster, and what root writes is the service's own",
  scenario(withCluster({ suite: "bookworm" }), async ({ host }) => {
    await runningCluster(host);
    // It joined by itself, beside auth: as it is on a host that has the proxy alone.
    await host.mustRun(["rm", "-r", "/var/lib/svc/identity"]);
    await tctl(host, "tokens", "add", "--type=proxy", "--uses=1", "--out=/root/svc-token");
    const where = ["--auth-server", "localhost:3025", "--token", "/root/svc-token", "--ca-pin", await pin(host)];
    const joined = await host.mustRun(["svc", "join", ...where]);
    expect(joined).toMatch(/^This host has joined the cluster example\.com as the proxy [0-9a-f-]{36}\.\n/);
    const [, reload = "", remove = ""] = /`sudo (systemctl .*)`[^]*`(rm .*)`/.exec(joined) ?? [];
    const files = ["/var/lib/svc/identity", "/var/lib/svc/identity/proxy.json"];
    expect(await host.mustRun(["stat", "--format=%U %a", ...files])).toBe("svc 700\nsvc 600\n");
    const token = (await host.mustRun(["cat", "/root/svc-token"])).trim();
    for (const line of [reload, remove]) await host.mustRun(line.split(" "));
    const [, instance = "none"] = /as the proxy ([0-9a-f-]{36})\./.exec(joined) ?? [];
    await until("the service sees that it has joined", 30_000, async () =>
      (await host.journal(unit)).includes(`is a proxy of the cluster example.com instance=${instance}`) ? true : undefined,
    );
    expect(await host.journal(unit)).not.toContain(token);

    expect(await host.mustRun(["svc", "join", ...where])).toContain("already, and auth knows it. No token was used.");
    expect(await tctl(host, "instances", "ls")).toContain(instance);
    await tctl(host, "instances", "rm", instance);
    const again = await host.run(["svc", "join", ...where, "--replace"]);
    expect([again.status, again.stderr]).toEqual([74, expect.stringContaining("/root/svc-token does not exist")]);
  }),
);
