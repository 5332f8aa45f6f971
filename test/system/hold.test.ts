import { describe, expect, test } from "vitest";
import { scenario } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { installedVersion, journalOfLastRun, outdatedHost, schedule, tick, withUpdater } from "./updater.ts";

const bookworm = withUpdater({ suite: "bookworm" });

describe("a hold", () => {
  test(
    "stops passes in an open window until it ends by itself, and its end is said once",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await schedule(host, "open");
      const held = await host.run(["svc-upgrade", "hold", "--until", "25s", "--reason", "audit", "--json"]);
      expect([held.status, held.stderr]).toEqual([0, ""]);
      const end = (JSON.parse(held.stdout) as { hold: { until: string } }).hold.until;
      expect(await tick(host)).toBe(0);
      expect(await journalOfLastRun(host)).toContain(
        "an upgrade is available (15.4.5 -> 15.4.6), not now: upgrades are on hold until TIME: audit channel=default why=held until=TIME",
      );
      expect(await installedVersion(host)).toBe("15.4.5");
      await until("the hold is over", 60_000, async () => (Date.now() > Date.parse(end) ? true : undefined));
      expect(await tick(host)).toBe(0);
      expect(await journalOfLastRun(host)).toContain("the hold ended at TIME; upgrades go on");
      expect(await installedVersion(host)).toBe("15.4.6");
      expect(await tick(host)).toBe(0);
      expect((await journalOfLastRun(host)).join("\n")).not.toContain("the hold ended");
    }),
  );
});

test(
  "the shipped program knows every time zone, on a host that has no data of them",
  scenario(bookworm, async ({ host }) => {
    await host.write("/etc/svc-upgrade.d/schedule", "1795312800 1795316400\n");
    await host.mustRun(["rm", "-r", "/usr/share/zoneinfo"]);
    const at = ["--at", "2026-11-22 07:50"];
    const { status, stdout } = await host.run(["env", "TZ=Asia/Kathmandu", "svc-upgrade", "schedule", ...at]);
    expect(status).toBe(0);
    expect(stdout).toContain("  Sun 2026-11-22 02:00–03:00 UTC  Sun 2026-11-22 07:45–08:45 GMT+5:45  open\n");
  }),
);
