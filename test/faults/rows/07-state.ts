import { equal, match } from "node:assert/strict";
import { expectStay } from "../expect-pass.ts";
import { tick } from "../pass.ts";
import { onApt, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { retry, serveNext } from "../staging.ts";
import { expectRunning, expectWhole } from "../whole.ts";

const directory = "/var/lib/svc-upgrade-decide";
const file = `${directory}/state.json`;

/** What becomes of the file, by the shell; `$1` is its path. */
const spoilt: Readonly<Record<string, string>> = {
  "is half written": 'truncate -s 300 "$1"',
  "is a link to another file": 'mv "$1" /root/elsewhere.json && ln -s /root/elsewhere.json "$1"',
};

export const state: Row = {
  scenarios: [
    ...Object.entries(spoilt).flatMap(([name, script]) =>
      onApt(7, `the state ${name}`, async (stage) => {
        await serveNext(stage);
        await stage.host.mustRun(["sh", "-c", script, "spoil", file]);
        await expectCalledOnce(stage);
      }),
    ),
    ...onApt(7, "the state cannot be written: its directory takes no file", async (stage) => {
      await serveNext(stage);
      // One for the directory itself, and one for the lock.
      const options = "size=16k,nr_inodes=2,uid=svc-upgrade,gid=svc-upgrade";
      await stage.host.mustRun(["mount", "-t", "tmpfs", "-o", options, "tmpfs", directory]);
      equal(await tick(stage.host), 73);
      await expectWhole(stage.host, stage.current());
      await expectRunning(stage.host, stage.current());
      await stage.host.mustRun(["umount", directory]);
    }),
  ],
  unstaged: [],
};

/** Nothing moves, the damaged file is kept for a person, who is told what to type; and that helps. */
async function expectCalledOnce(stage: Stage): Promise<void> {
  await expectStay(stage, "needs-operator");
  await expectStay(stage, "needs-operator");
  match(await stage.host.mustRun(["ls", directory]), /^state\.json\.unreadable-/m);
  match((await stage.host.run(["svc-upgrade", "status"])).stdout, /svc-upgrade retry/);
  await retry(stage);
}
