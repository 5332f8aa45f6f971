import { expect } from "vitest";
import { expectRunning } from "../../moves.ts";
import { runNow } from "../../updater.ts";
import type { Chapter } from "../row.ts";
import { begin, openScene, type Scene } from "../scene.ts";

export const smallDisk: Chapter<Scene> = {
  title: "has a small disk",
  options: { diskMegabytes: 200 },
  open: openScene,
  begin,
  rows: [
    {
      title: "says that the disk is full, leaves the agent as it is, and goes on when there is room",
      play: async ({ host }) => {
        await host.run(["sh", "-c", "dd if=/dev/zero of=/root/full bs=64k; dd if=/dev/zero of=/root/fuller bs=1k"]);
        const full = await runNow(host);
        expect([full.status, full.stdout]).toEqual([expect.any(Number), ""]);
        expect(full.status).not.toBe(0);
        expect(full.stderr).toMatch(/no space left|No space left|ENOSPC/);
        await host.mustRun(["rm", "/root/full", "/root/fuller"]);
        await expectRunning(host, "15.4.5");
        expect((await runNow(host)).status).toBe(0);
        await expectRunning(host, "15.4.6");
      },
    },
  ],
};
