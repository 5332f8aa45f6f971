import { withNoise } from "../noise.ts";
import { equal, match } from "node:assert/strict";
import { expectMoved, expectStay } from "../expect-pass.ts";
import { tick } from "../pass.ts";
import { onApt, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { retry, serveNext } from "../staging.ts";
import { expectRunning, expectWhole } from "../whole.ts";

const directory = "/var/lib/svc-upgrade-decide";
const file = `${directory}/state.json`;

/** What becomes of the file, by the shell; `$1` is its path. */
const spoilt: Readonly<Record<string, string>> = {
  "is empty": 'truncate -s 0 "$1"',
  "is half written": 'truncate -s 300 "$1"',
  "is no JSON": 'echo "{ not json" >"$1"',
  "holds random bytes": 'noise | head -c 4096 >"$1"',
  "is of a schema that is not known": 'sed -i "s/\\"schema\\": *1/\\"schema\\":99/" "$1"',
  "has a number where a list should be": 'sed -i "s/\\"passes\\": *\\[/\\"passes\\":7,\\"others\\":[/" "$1"',
  "is a gigabyte": 'truncate -s 1G "$1"',
  "is a directory": 'rm "$1" && mkdir "$1"',
  "is a pipe": 'rm "$1" && mkfifo "$1"',
  "is a link to another file": 'mv "$1" /root/elsewhere.json && ln -s /root/elsewhere.json "$1"',
};

export const state: Row = {
  scenarios: [
    ...Object.entries(spoilt).flatMap(([name, script]) =>
      onApt(7, `the state ${name}`, async (stage, random) => {
        await serveNext(stage);
        await stage.host.mustRun(["sh", "-c", withNoise(random, script), "spoil", file]);
        await expectCalledOnce(stage);
      }),
    ),
    ...onApt(7, "the state is gone: passes begin anew", async (stage) => {
      const version = await serveNext(stage);
      await stage.host.mustRun(["rm", file]);
      await expectMoved(stage, version);
    }),
    ...onApt(7, "the state is of the release before this one", async (stage) => {
      const version = await serveNext(stage);
      const { kept: _, ...older } = JSON.parse(await stage.host.read(file)) as Record<string, unknown>;
      await stage.host.write(file, JSON.stringify(older));
      await expectMoved(stage, version);
    }),
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
