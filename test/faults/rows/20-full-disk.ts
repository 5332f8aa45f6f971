import { equal, ok } from "node:assert/strict";
import { expectEnded, expectMoved } from "../expect-pass.ts";
import { beginPass, endOfPass, tick } from "../pass.ts";
import { lastPassId, tryRecordOf } from "../record.ts";
import { inEachFamily, onApt, type Row, type Scenario } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { passWith, serveNext } from "../staging.ts";
import { stepBegins } from "../watch-step.ts";
import { expectRunning, expectWhole } from "../whole.ts";

/** The updater takes 110 of them, and the caches of a package manager some. */
const diskMegabytes = 420;
/** Statuses of a pass that stops early and comes again. */
const early: readonly number[] = [73, 74, 75];

export const fullDisk: Row = {
  scenarios: [
    ...inEachFamily(20, "the disk is full before the pass", async (stage) => {
      const version = await serveNext(stage);
      await fill(stage);
      const before = lastPassId(stage.host);
      const status = await tick(stage.host);
      ok(early.includes(status), `it ended with ${status}`);
      ok(lastPassId(stage.host) !== before, "the pass left no record");
      await expectWhole(stage.host, stage.current());
      await expectRunning(stage.host, stage.current());
      await empty(stage);
      await stage.host.mustRun(["svc-upgrade", "retry"]);
      await expectMoved(stage, version);
    }),
    ...inEachFamily(20, "the disk gets full as the package is installed", async (stage) => {
      const version = await serveNext(stage);
      const { host } = stage;
      const before = lastPassId(host);
      await beginPass(host);
      await stepBegins(host, "install");
      await fill(stage);
      const status = await endOfPass(host);
      await empty(stage);
      await tick(host);
      const { passes = [] } = tryRecordOf(host) ?? {};
      ok(passes[0]?.id !== before);
      // A pass that moved tells what was installed before it.
      const installed = passes[0]?.outcome.kind === "moved" ? version : (passes[0]?.installed ?? stage.current());
      await expectWhole(host, installed);
      await expectRunning(host, installed);
      await host.mustRun(["svc-upgrade", "retry"]);
      return `the pass ended with ${status}`;
    }),
    ...onApt(20, "no inode is left for a download", async (stage) => {
      const { host } = stage;
      const version = await serveNext(stage);
      await host.mustRun(["mount", "-t", "tmpfs", "-o", "nr_inodes=3", "tmpfs", "/var/cache/apt/archives"]);
      const before = lastPassId(host);
      const status = await tick(host);
      await host.mustRun(["umount", "/var/cache/apt/archives"]);
      if (status === 0)
        return void (await expectEnded(stage, { status, before }, { status: 0, outcome: { kind: "moved" }, version }));
      await expectEnded(stage, { status, before }, { status: 75, outcome: { kind: "failed", back: undefined } });
    }),
    ...inEachFamily(20, "the log cannot be written: the journal's disk is full", async (stage) => {
      const { host } = stage;
      const version = await serveNext(stage);
      await host.mustRun(["mkdir", "-p", "/var/log/journal"]);
      await host.mustRun(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "/var/log/journal"]);
      await host.mustRun(["systemctl", "restart", "systemd-journald"]);
      await host.mustRun(["journalctl", "--flush"]);
      await host.run(["sh", "-c", "cat /dev/zero >/var/log/journal/full"]);
      const before = lastPassId(host);
      const status = await tick(host);
      await expectEnded(stage, { status, before }, { status: 0, outcome: { kind: "moved" }, version });
      await host.mustRun(["sh", "-c", "journalctl --relinquish-var; umount --lazy /var/log/journal; rm -r /var/log/journal"]);
    }),
    ...onApt(20, "the disk is full as a pass settles: the record comes when there is room", async (stage) => {
      const version = await serveNext(stage);
      await passWith(stage, "health", () => fill(stage));
      await empty(stage);
      equal(await tick(stage.host), 0);
      await expectWhole(stage.host, version);
      await expectRunning(stage.host, version);
    }),
  ].map((scenario): Scenario => ({ ...scenario, diskMegabytes })),
  unstaged: [],
};

/** To the last block. */
async function fill({ host }: Stage): Promise<void> {
  await host.enter(["sh", "-c", "cat /dev/zero >/root/full; dd if=/dev/zero of=/root/fuller bs=1k"]);
}

async function empty({ host }: Stage): Promise<void> {
  await host.enter(["rm", "-f", "/root/full", "/root/fuller"]);
}
