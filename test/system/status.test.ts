import { describe, expect, test } from "vitest";
import type { StatusJson } from "../../src/updater/cli/json/status.ts";
import type { Host } from "./lab/host.ts";
import { scenario } from "./lab/scenario.ts";
import { configure, outdatedHost, schedule, tick, withUpdater } from "./updater.ts";

/** What the screen says, as root and as anybody: its rows in one line each, times by what they are. */
async function told(host: Host): Promise<readonly string[]> {
  const asRoot = await host.run(["svc-upgrade", "status"]);
  const asAnybody = await host.run(["svc-upgrade", "status"], { user: "ordinary" });
  expect([asRoot.status, asRoot.stderr, asAnybody.status, asAnybody.stderr]).toEqual([0, "", 0, ""]);
  expect(timeless(asAnybody.stdout)).toEqual(timeless(asRoot.stdout));
  expect(asRoot.stdout.split("\n").filter((line) => line.length > 80 && !/https?:/.test(line))).toEqual([]);
  return timeless(asRoot.stdout);
}

function timeless(screen: string): readonly string[] {
  return screen
    .replace(/\n {12}/g, " ")
    .replace(/^[^]*?\.$/m, (sentence) => sentence.replaceAll("\n", " "))
    .replace(/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d\d-\d\d \d\d:\d\d/g, "DAY")
    .replace(
      /\b(?:just now|within a minute|(?:in )?\d+ (?:minute|hour|day|year)s?(?: \d+ (?:minute|hour)s?)?(?: ago)?)(?=[);,\n ]|$)/gm,
      "AWAY",
    )
    .replace(/process \d+/g, "process N")
    .replace(/, \d+ s$/gm, ", N s")
    .split("\n")
    .filter((line) => line !== "");
}

async function jsonOf(host: Host): Promise<StatusJson> {
  return JSON.parse((await host.run(["svc-upgrade", "status", "--json"], { user: "ordinary" })).stdout) as StatusJson;
}

const sees = "svc-ent 15.4.5 is installed; the channel served 15.4.6 (AWAY).";
const agent = "agent       svc.service is active since DAY UTC, process N";

describe("the status of a host", () => {
  test(
    "says in every situation what happens next, or why nothing does and what to type, to root and to anybody",
    scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
      const { host, versions } = stage;
      await outdatedHost(stage);

      const before = await told(host);
      expect(before.slice(0, 4)).toEqual([
        "Not known yet: svc-ent 15.4.5 is installed; the channel has given no answer yet.",
        "why         no pass has asked the channel default yet, or none with an answer",
        "next pass   DAY UTC (AWAY)",
        "to see      svc-upgrade dry-run",
      ]);
      expect(before).toContain(agent);
      expect(before).toContain("timer       on; not fired yet; next AWAY");
      expect(before).toContainEqual(
        expect.stringMatching(/^schedule {4}\/etc\/svc-upgrade\.d\/schedule is missing an upgrade would wait: \S/),
      );

      await schedule(host, "closed");
      expect(await tick(host)).toBe(0);
      const outside = await told(host);
      expect(outside.slice(0, 3)).toEqual([
        `Not now: ${sees}`,
        "why         outside the maintenance window, the next one opens at DAY UTC (AWAY)",
        "sooner      sudo svc-upgrade run --now",
      ]);
      expect(outside).toContain("last pass   DAY UTC (AWAY): stayed (outside-window), as one would now");
      expect(outside).toContain("passes      DAY UTC: stayed: outside-window, N s");
      expect(outside.find((line) => line.startsWith("schedule"))).toMatch(/, written AWAY; opens AWAY DAY–\S+ UTC$/);

      await configure(host, "hold: {until: 2099-01-01T08:00:00Z, reason: year-end freeze}\n", "70-hold");
      const held = await told(host);
      expect(held.slice(0, 3)).toEqual([
        `On hold: ${sees}`,
        "why         upgrades are on hold until DAY UTC (AWAY): year-end freeze",
        "sooner      sudo svc-upgrade unhold",
      ]);
      expect(held).toContain("hold        set in /etc/svc-upgrade/70-hold.yaml");
      expect(held.find((line) => line.startsWith("last pass"))).toContain(
        "stayed (outside-window): outside the maintenance window",
      );
      await host.mustRun(["rm", "/etc/svc-upgrade/70-hold.yaml"]);

      await versions.http.goDown();
      expect(await tick(host)).toBe(75);
      const silent = await told(host);
      expect(silent[0]).toBe(`No answer from the version server: ${sees}`);
      expect(silent[1]).toBe("since       DAY UTC (AWAY)");
      expect(silent.find((line) => line.startsWith("why"))).toContain("channel/default/version cannot be reached directly");
      expect(silent).toContain("next try    DAY UTC (AWAY)");
      expect(silent).toContain("last pass   DAY UTC (AWAY): ended in the fault above (channel-unreachable)");
      expect(silent.find((line) => line.startsWith("a pass now"))).toMatch(/by the last answer would stay \(outside-window\)/);

      await host.mustRun(["systemctl", "disable", "--now", "--quiet", "svc-upgrade.timer"]);
      const off = await told(host);
      expect(off.slice(0, 3)).toEqual([
        `No pass comes by itself: ${sees}`,
        "why         svc-upgrade.timer is disabled",
        "to do       sudo systemctl enable --now svc-upgrade.timer",
      ]);
      expect(off.find((line) => line.startsWith("timer"))).toMatch(/^timer +off/);
      expect(await jsonOf(host)).toMatchObject({
        standing: "off",
        installed: "15.4.5",
        served: "15.4.6",
        next: { kind: "stay", why: "outside-window" },
        timer: { enabled: false, active: false },
        agent: { unit: "svc.service", state: "active", enabled: true, restarts: 0 },
        passes: [{ fault: { code: "channel-unreachable" } }, { decision: { why: "outside-window" } }],
        unread: [],
      });
    }),
  );

  test(
    "says that a pass is running, what the agent's unit does, and what was left behind",
    scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
      const { host, versions } = stage;
      await outdatedHost(stage);
      await schedule(host, "open");
      expect(await tick(host)).toBe(0);
      const moved = await told(host);
      expect(moved[0]).toBe("Up to date: svc-ent 15.4.6 is installed; the channel served 15.4.6 (AWAY).");
      expect(moved.find((line) => line.startsWith("last pass"))).toMatch(/: upgraded from 15\.4\.5 to 15\.4\.6 in \d+ seconds?$/);
      expect(moved).toContain("previous    15.4.5, left DAY UTC (AWAY); back to it: sudo svc-upgrade rollback");

      await host.mustRun(["systemctl", "stop", "svc.service"]);
      expect((await told(host)).find((line) => line.startsWith("agent"))).toBe("agent       svc.service is inactive");

      versions.serve("default", { version: { body: "v15.4.6", delayMs: 20_000 } });
      await host.mustRun(["systemctl", "start", "--no-block", "svc-upgrade.service"]);
      const running = await told(host);
      expect(running[0]).toMatch(/^A pass is running: svc-ent 15\.4\.6 is installed;/);
      expect(running[1]).toBe("follow it   journalctl -fu svc-upgrade");
      expect(await jsonOf(host)).toMatchObject({ standing: "running", running: { by: "unit" } });
    }),
  );
});
