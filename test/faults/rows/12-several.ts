import { equal, match } from "node:assert/strict";
import { expectEnded } from "../expect-pass.ts";
import { endOfPass } from "../pass.ts";
import { lastPassId } from "../record.ts";
import { inEachFamily, onApt, type Row } from "../scenario.ts";
import { passWith, serveNext } from "../staging.ts";
import { stepBegins } from "../watch-step.ts";

/** A host has one owner. The second is refused and changes nothing. */
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
  ],
  unstaged: [],
};
