import { equal, ok } from "node:assert/strict";
import { removePackage } from "../../system/lab/package-tools.ts";
import { installUpdater } from "../../system/updater.ts";
import { endOfPass, tick } from "../pass.ts";
import { lastPassId, recordOf } from "../record.ts";
import { inEachFamily, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { passWith, retry, serveNext } from "../staging.ts";
import { expectRunning, expectWhole } from "../whole.ts";

export const uninstalls: Row = {
  scenarios: [
    ...inEachFamily(34, "the updater itself is installed anew while the agent settles", async (stage) => {
      const { host } = stage;
      const version = await serveNext(stage);
      const { before } = await passWith(stage, "health", () => installUpdater(host));
      // Whatever became of that pass: the next one has it in order.
      await tick(host);
      ok(lastPassId(host) !== before);
      await expectWhole(host, version);
      await expectRunning(host, version);
    }),
    ...inEachFamily(34, "the updater is taken away while the agent settles, and installed again", async (stage) => {
      const { host } = stage;
      const version = await serveNext(stage);
      const remove = host.family === "apt" ? ["dpkg", "--remove", "svc-ent-updater"] : ["rpm", "--erase", "svc-ent-updater"];
      await passWith(stage, "health", () => host.run(remove));
      equal((await host.enter(["systemctl", "list-units", "--no-legend", "--state=failed"])).stdout, "");
      await expectWhole(host, version);
      await expectRunning(host, version);
      await installUpdater(host);
      equal(await tick(host), 0);
    }),
    ...inEachFamily(34, "the agent is taken away by an admin while it settles", async (stage) => {
      const { host } = stage;
      await serveNext(stage);
      const { status } = await passWith(stage, "health", () => removePackage(host, "svc-ent"));
      const next = await tick(host);
      const isStill = await tick(host);
      await restore(stage);
      return `the pass ended with ${status}, the next with ${next}, ${isStill}`;
    }),
  ],
  unstaged: [{ row: 34, name: "the updater upgrades itself", why: "it never does: its package is the admin's" }],
};

/** What an admin does who wants the agent back. */
async function restore(stage: Stage): Promise<void> {
  const { host } = stage;
  await endOfPass(host);
  await retry(stage);
  const run = await host.run(["svc-upgrade", "run", "--now", "--install"]);
  equal(run.status, 0, run.stderr);
  await host.mustRun(["systemctl", "enable", "--now", "--quiet", "svc.service"]);
  equal(recordOf(host).needsOperator, undefined);
}
