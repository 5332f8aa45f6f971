import { describe, expect, test } from "vitest";
import { scenario } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { installUpdater, installedVersion, journalOfLastRun, outdatedHost, schedule, tick } from "./updater.ts";

const bookworm = { suite: "bookworm" } as const;

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

  test(
    "lets a pass that has begun go on, and says so; unhold ends it",
    scenario(bookworm, async (stage) => {
      const { host, versions } = stage;
      await outdatedHost(stage);
      await schedule(host, "open");
      versions.serve("default", { version: { body: "v15.4.6", delayMs: 8000 } });
      await host.mustRun(["systemctl", "start", "--no-block", "svc-upgrade.service"]);
      await until("the pass asks", 20_000, async () => {
        const unit = await host.enter(["systemctl", "is-active", "svc-upgrade-ask.service"]);
        return unit.stdout.trim() === "activating" ? true : undefined;
      });
      const held = await host.run(["svc-upgrade", "hold"]);
      expect([held.status, held.stdout]).toEqual([0, "upgrades are on hold\nto end it: svc-upgrade unhold\n"]);
      expect(held.stderr).toContain("a pass is running and goes on to its end; the hold counts from the next one on");
      await until("the pass has moved", 60_000, async () => ((await installedVersion(host)) === "15.4.6" ? true : undefined));
      const { stdout } = await host.run(["svc-upgrade", "unhold"]);
      expect(stdout).toBe("upgrades are not on hold any more; the next pass decides anew\n");
    }),
  );
});

test(
  "the shipped program knows every time zone, on a host that has no data of them",
  scenario(bookworm, async ({ host }) => {
    await installUpdater(host);
    await host.write("/etc/svc-upgrade.d/schedule", "1795312800 1795316400\n");
    await host.mustRun(["rm", "-r", "/usr/share/zoneinfo"]);
    const at = ["--at", "2026-11-22 07:50"];
    const { status, stdout } = await host.run(["env", "TZ=Asia/Kathmandu", "svc-upgrade", "schedule", ...at]);
    expect(status).toBe(0);
    expect(stdout).toContain("  Sun 2026-11-22 02:00–03:00 UTC  Sun 2026-11-22 07:45–08:45 GMT+5:45  open\n");
  }),
);
