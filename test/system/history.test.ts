import { describe, expect, test } from "vitest";
import { buildAgent } from "./lab/agent.ts";
import type { Host } from "./lab/host.ts";
import { scenario } from "./lab/scenario.ts";
import { installedVersion, outdatedHost, schedule, tick, withUpdater } from "./updater.ts";

/** What `journalctl -u svc-upgrade -p notice` shows, a line each; but not systemd's own, that a pass which undid a move failed. */
async function story(host: Host): Promise<readonly string[]> {
  await host.mustRun(["journalctl", "--sync"]);
  const argv = ["journalctl", "--quiet", "--no-pager", "-u", "svc-upgrade", "-t", "svc-upgrade", "-p", "notice", "-o", "cat"];
  return (await host.mustRun(argv)).split("\n").filter((line) => line !== "");
}

const five = [1, 2, 3, 4, 5] as const;
const file = "/var/lib/svc-upgrade-decide/history.json";

describe.each(["bookworm", "yum", "zypper"] as const)("what has changed on %s", (suite) => {
  test(
    "is told by the journal's notices and by the history, however many quiet passes came since",
    scenario(withUpdater({ suite }), async (stage) => {
      const { host, repository, versions } = stage;
      await outdatedHost(stage);
      const before = await installedVersion(host);
      await schedule(host, "closed");
      for (const _ of five) expect(await tick(host)).toBe(0);
      expect(await story(host)).toEqual([]);
      expect(await host.mustRun(["svc-upgrade", "history"])).toMatch(/^Nothing was upgraded or tried on this host yet\.\n/);

      await schedule(host, "open");
      expect(await tick(host)).toBe(0);
      const after = await installedVersion(host);
      const upgraded = [
        expect.stringMatching(/^an upgrade is available \(15\.4\.5 -> 15\.4\.6\), upgrading now: the maintenance window is open/),
        expect.stringContaining(`upgraded svc-ent from ${before} to ${after}; svc.service was`),
      ];
      expect(await story(host)).toEqual(upgraded);
      const written = await host.mustRun(["stat", "--format=%i %a %U", file]);
      expect(written).toMatch(/^\d+ 644 svc-upgrade\n$/);
      for (const _ of five) expect(await tick(host)).toBe(0);
      expect(await story(host)).toEqual(upgraded);
      expect(await host.mustRun(["stat", "--format=%i %a %U", file])).toBe(written);

      await repository.publish(await buildAgent(host, { version: "15.4.7", start: "crashes" }));
      versions.serve("default", { version: "v15.4.7" });
      expect(await tick(host)).toBe(10);
      const undone = (await story(host)).slice(upgraded.length);
      expect(undone).toEqual([
        expect.stringMatching(/^an upgrade is available \(15\.4\.6 -> 15\.4\.7\), upgrading now: /),
        expect.stringMatching(/ fault=activate-failed step=activate$/),
        expect.stringContaining(`rolling back to svc-ent ${after}`),
        expect.stringMatching(/^rolled svc-ent back from 15\.4\.7\S* to 15\.4\.6\S*; svc\.service was /),
      ]);
      // The first of them says that it is rejected; that it still is, is no news.
      for (const _ of five) expect(await tick(host)).toBe(0);
      expect((await story(host)).slice(upgraded.length + undone.length)).toEqual([
        expect.stringMatching(/^an upgrade is available \(15\.4\.6 -> 15\.4\.7\), not now: .* why=rejected$/),
      ]);
      // What the package manager prints is there all the same, for whoever reads it all.
      expect(await host.mustRun(["journalctl", "--no-pager", "-u", "svc-upgrade", "-o", "cat", "PRIORITY=6"])).toContain(
        "svc-ent",
      );

      const shown = await host.mustRun(["svc-upgrade", "history"], { user: "ordinary" });
      const [first = "", ...lines] = shown.split("\n");
      expect(first).toMatch(/^\w{3} \d{4}-\d\d-\d\d \d\d:\d\d \S+ {2}upgrade from 15\.4\.6\S* to 15\.4\.7\S*: undone at/);
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(` {2}upgraded from ${before} to ${after}, \\d+ s`)));
      expect(lines.at(-2)).toMatch(/: stayed: rejected, 5 passes, at most \d+ s$/);
      expect(Math.max(...shown.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80);
      expect(JSON.parse(await host.mustRun(["svc-upgrade", "history", "--json"], { user: "ordinary" }))).toMatchObject({
        schema: 1,
        moves: [
          {
            from: after,
            version: "15.4.7",
            channel: "default",
            outcome: { kind: "undone" },
            fault: { code: "activate-failed" },
            count: 1,
          },
          { from: before, to: after, why: "window", outcome: { kind: "moved" }, count: 1 },
        ],
        lost: [],
        unread: [],
      });
    }),
  );
});
