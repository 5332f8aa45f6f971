import { describe, expect, test } from "vitest";
import { agentProcess } from "./lab/agent.ts";
import type { Suite } from "./lab/base.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { configure, hurryTimer, installedVersion, outdatedHost, journalOfLastRun, schedule, stopTimer, tick } from "./updater.ts";

const bookworm = { suite: "bookworm" } as const;

async function runsTheNewFile(stage: Stage): Promise<void> {
  expect(await installedVersion(stage.host)).toBe("15.4.6");
  const agent = await agentProcess(stage.host);
  expect(agent?.executable).toBe("/usr/bin/svc");
  expect(agent?.speaks).toContain("15.4.6");
  expect((await stage.host.run(["systemctl", "is-active", "svc.service"])).stdout.trim()).toBe("active");
}

describe("a pass from the timer", () => {
  for (const reload of ["exec", "reread"] as const) {
    test(
      `upgrades the agent in its window and makes the new file run, reload "${reload}"`,
      scenario(bookworm, async (stage) => {
        const { host } = stage;
        await outdatedHost(stage, reload);
        await schedule(host, "open");
        await hurryTimer(host);
        await until("the timer's pass upgrades", 60_000, async () =>
          (await installedVersion(host)) === "15.4.6" ? true : undefined,
        );
        await stopTimer(host);
        await runsTheNewFile(stage);
      }),
    );
  }

  test(
    "tells the upgrade in nine lines of the journal",
    scenario(bookworm, async (stage) => {
      await outdatedHost(stage);
      await schedule(stage.host, "open");
      expect(await tick(stage.host)).toBe(0);
      await runsTheNewFile(stage);
      const journal = await journalOfLastRun(stage.host);
      expect(journal.length).toBeLessThanOrEqual(9);
      await expect(`${journal.join("\n")}\n`).toMatchFileSnapshot("golden/upgrade.txt");
    }),
  );

  test(
    "stays outside the window and says until when",
    scenario(bookworm, async (stage) => {
      await outdatedHost(stage);
      const { start } = await schedule(stage.host, "closed");
      expect(await tick(stage.host)).toBe(0);
      expect(await installedVersion(stage.host)).toBe("15.4.5");
      const raw = await stage.host.mustRun(["journalctl", "--quiet", "-u", "svc-upgrade", "-o", "cat"]);
      expect(raw).toContain(new Date(start * 1000).toISOString().replace(".000Z", "Z"));
      await expect(`${(await journalOfLastRun(stage.host)).join("\n")}\n`).toMatchFileSnapshot("golden/outside-window.txt");
    }),
  );

  test(
    "moves outside the window when the update is critical",
    scenario(bookworm, async (stage) => {
      await outdatedHost(stage);
      stage.versions.serve("default", { version: "15.4.6", critical: "yes" });
      await schedule(stage.host, "closed");
      expect(await tick(stage.host)).toBe(0);
      await runsTheNewFile(stage);
    }),
  );

  test(
    "warns that there is no valid schedule and stays",
    scenario(bookworm, async (stage) => {
      await outdatedHost(stage);
      expect(await tick(stage.host)).toBe(0);
      expect(await installedVersion(stage.host)).toBe("15.4.5");
      await expect(`${(await journalOfLastRun(stage.host)).join("\n")}\n`).toMatchFileSnapshot("golden/no-schedule.txt");
    }),
  );

  test(
    "says one line when there is nothing to do",
    scenario(bookworm, async (stage) => {
      await outdatedHost(stage);
      stage.versions.serve("default", { version: "v15.4.5" });
      expect(await tick(stage.host)).toBe(0);
      await expect(`${(await journalOfLastRun(stage.host)).join("\n")}\n`).toMatchFileSnapshot("golden/current.txt");
    }),
  );

  test(
    "finds the endpoint in the agent's own configuration, readable by root alone, and channel stable/cloud",
    scenario(bookworm, async (stage) => {
      const { host, versions } = stage;
      await outdatedHost(stage);
      versions.serve("stable/cloud", { version: "15.4.6\n" });
      await versions.authority.trustIn(host);
      await configure(host, "channel: stable/cloud\n");
      await host.write("/etc/svc.yaml", `version: v3\nsvc:\n  proxy_server: ${new URL(versions.httpsEndpoint).host}\n`, {
        mode: "0600",
      });
      await schedule(host, "open");
      expect(await tick(host)).toBe(0);
      await runsTheNewFile(stage);
    }),
  );
});

describe.each<Suite>(["bullseye", "trixie"])("on %s", (suite) => {
  test(
    "upgrades the agent in its window",
    scenario({ suite }, async (stage) => {
      await outdatedHost(stage);
      await schedule(stage.host, "open");
      expect(await tick(stage.host)).toBe(0);
      await runsTheNewFile(stage);
    }),
  );
});

describe("an admin", () => {
  test(
    "suspends the updates by disabling the timer and resumes them by enabling it",
    scenario(bookworm, async (stage) => {
      const { host, versions } = stage;
      await outdatedHost(stage);
      await schedule(host, "open");
      await host.mustRun(["systemctl", "disable", "--now", "svc-upgrade.timer"]);
      await host.write(
        "/etc/systemd/system/svc-upgrade.timer.d/hurry.conf",
        "[Timer]\nOnCalendar=\nOnCalendar=*:*:0/2\nRandomizedDelaySec=0\n",
      );
      await host.mustRun(["systemctl", "daemon-reload"]);
      const asked = versions.http.requests.length;
      await new Promise((resolve) => setTimeout(resolve, 5000));
      expect(versions.http.requests.length).toBe(asked);
      expect(await installedVersion(host)).toBe("15.4.5");
      await host.mustRun(["systemctl", "enable", "--now", "svc-upgrade.timer"]);
      await until("the timer's pass upgrades", 60_000, async () =>
        (await installedVersion(host)) === "15.4.6" ? true : undefined,
      );
      await stopTimer(host);
      await runsTheNewFile(stage);
    }),
  );
});
