import { match } from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { holdManagerLock } from "../../system/lab/manager-lock.ts";
import { expectEnded, expectMoved, expectRefused } from "../expect-pass.ts";
import { beginPass, endOfPass } from "../pass.ts";
import { lastPassId } from "../record.ts";
import { inEachFamily, onRpm, type Row } from "../scenario.ts";
import { serveNext } from "../staging.ts";

const shortMs = 5000;

export const locks: Row = {
  scenarios: [
    ...inEachFamily(15, "another transaction has the lock for a moment: it is waited for", async (stage) => {
      const { host } = stage;
      const version = await serveNext(stage);
      const lock = await holdManagerLock(host);
      const before = lastPassId(host);
      await beginPass(host);
      await sleep(shortMs);
      await lock.release();
      const status = await endOfPass(host);
      await expectEnded(stage, { status, before }, { status: 0, outcome: { kind: "moved" }, version });
    }),
    ...inEachFamily(15, "another transaction never ends: the pass gives up and says who it is", async (stage) => {
      const { host } = stage;
      await serveNext(stage);
      const lock = await holdManagerLock(host);
      const { outcome } = await expectRefused(stage, ["manager-busy"]);
      if (outcome.kind === "failed") match(outcome.fault.message, /held by process \d+/);
      await lock.release();
    }),
    ...onRpm(15, "a lock of a process that is gone keeps nobody", async (stage) => {
      const { host } = stage;
      const files =
        host.family === "yum" ? ["/var/lib/dnf/rpmdb_lock.pid", "/var/cache/dnf/metadata_lock.pid"] : ["/run/zypp.pid"];
      for (const file of files) await host.write(file, "4194000");
      await expectMoved(stage, await serveNext(stage));
    }),
  ],
  unstaged: [
    { row: 15, name: "apt: a lock of a process that is gone", why: "its lock is the kernel's, and ends with the process" },
  ],
};
