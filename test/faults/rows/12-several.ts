import { equal, match, partialDeepStrictEqual } from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { expectEnded, expectMoved } from "../expect-pass.ts";
import { beginPass, endOfPass } from "../pass.ts";
import { lastPassId, recordOf } from "../record.ts";
import { inEachFamily, onApt, type Row } from "../scenario.ts";
import { passWith, serveNext } from "../staging.ts";
import { stepBegins } from "../watch-step.ts";

/** Rows 12 and 13: one owner; the second is refused, and changes nothing. */
export const several: Row = {
  scenarios: [
    ...inEachFamily(12, "a run by hand in the middle of the timer's pass", async (stage) => {
      const { host } = stage;
      const version = await serveNext(stage);
      const passed = await passWith(stage, "install", async () => {
        const run = await host.run(["svc-upgrade", "run", "--now"]);
        equal(run.status, 75);
        match(run.stderr, /another pass is running/);
      });
      await expectEnded(stage, passed, { status: 0, outcome: { kind: "moved" }, version });
    }),
    ...onApt(12, "the deciding half started twice, past systemd: the second is told who has the lock", async (stage) => {
      const { host } = stage;
      const version = await serveNext(stage);
      const passed = await passWith(stage, "install", async () => {
        const second = await host.run(["svc-upgrade", "pass"]);
        equal(second.status, 75);
        match(second.stderr, /another pass is running \(process \d+, pass /);
      });
      await expectEnded(stage, passed, { status: 0, outcome: { kind: "moved" }, version });
    }),
    ...onApt(12, "whoever follows a pass is killed: the pass goes on", async (stage) => {
      const { host } = stage;
      const version = await serveNext(stage);
      const before = lastPassId(host);
      await host.mustRun(["systemd-run", "--quiet", "--collect", "--unit=follower", "svc-upgrade", "run", "--now"]);
      await stepBegins(host, "install");
      await host.mustRun(["systemctl", "kill", "--signal=KILL", "follower.service"]);
      const status = await endOfPass(host);
      await expectEnded(stage, { status, before }, { status: 0, outcome: { kind: "moved" }, why: "asked", version });
    }),
    ...onApt(13, "two starts at once are one pass", async (stage) => {
      const { host } = stage;
      const version = await serveNext(stage);
      const passes = recordOf(host).passes.length;
      await Promise.all([beginPass(host), beginPass(host), beginPass(host)]);
      const before = lastPassId(host);
      const status = await endOfPass(host);
      await expectEnded(stage, { status, before }, { status: 0, outcome: { kind: "moved" }, version });
      equal(Math.min(recordOf(host).passes.length, 10), Math.min(passes + 1, 10));
    }),
    ...onApt(13, "a way back with nothing to go back to, a retry and an end of a hold without need", async (stage) => {
      const { host } = stage;
      // The rollback once, and then there is none.
      equal((await host.run(["svc-upgrade", "rollback"])).status, 0);
      const again = await host.run(["svc-upgrade", "rollback"]);
      equal(again.status, 69);
      match(again.stderr, /there is no version to roll back to/);
      equal((await host.run(["svc-upgrade", "unhold"])).status, 0);
      equal((await host.run(["svc-upgrade", "retry"])).status, 0);
      equal((await host.run(["svc-upgrade", "retry"])).status, 0);
      partialDeepStrictEqual(recordOf(host), { rejected: [], needsOperator: undefined });
    }),
    ...onApt(13, "a run by hand joins no other: two shells at once", async (stage) => {
      const { host } = stage;
      const version = await serveNext(stage);
      const first = host.run(["svc-upgrade", "run", "--now"]);
      await sleep(300);
      const second = await host.run(["svc-upgrade", "run", "--now"]);
      equal((await first).status, 0);
      equal(second.status, 75);
      await expectMoved(stage, version).catch(() => undefined);
    }),
  ],
  unstaged: [],
};
