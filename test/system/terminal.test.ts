import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { scenario } from "./lab/scenario.ts";
import { onScreen } from "./screen.ts";
import { outdatedHost, schedule, withUpdater } from "./updater.ts";

const seconds = "\\d+\\.\\d s";

describe("run on a terminal", () => {
  test(
    "shows each step with how long it took, between the decision and what came of it",
    scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await schedule(host, "closed");
      // As newer systemd speaks in the unit before it is the program's turn.
      const before = "svc-upgrade.service: Failed to read pids.max";
      await host.write(
        "/etc/systemd/system/svc-upgrade.service.d/50-before.conf",
        `[Service]\nExecStartPre=/bin/echo ${before}\n`,
      );
      await host.mustRun(["systemctl", "daemon-reload"]);
      const onTerminal = ["script", "--quiet", "--return", "--command"] as const;
      const moved = await host.run([...onTerminal, "svc-upgrade run --now", "/dev/null"], { env: { TERM: "xterm" } });
      expect(moved.status).toBe(0);
      expect(onScreen(moved.stdout).trimEnd().split("\n")).toEqual([
        before,
        expect.stringContaining("an upgrade is available (15.4.5 -> 15.4.6), upgrading now: it was asked for"),
        ...["refresh", "offer", "simulate", "keep", "install", "verify", "activate", "health"].map((step): unknown =>
          expect.stringMatching(new RegExp(`^  ${step.padEnd(13)} ${seconds}$`)),
        ),
        expect.stringContaining("upgraded svc-ent from 15.4.5 to 15.4.6; svc.service was"),
        "upgraded (15.4.5 -> 15.4.6)",
      ]);
      const dumb = await host.run([...onTerminal, "svc-upgrade run", "/dev/null"], { env: { TERM: "dumb" } });
      expect(dumb.stdout).toBe(stripVTControlCharacters(dumb.stdout));
      expect(dumb.stdout).toContain("Starting svc-upgrade.service");
    }),
  );
});
