import { deepEqual, equal } from "node:assert/strict";
import { expectEnded, expectMoved, expectPass, expectUndone } from "../expect-pass.ts";
import { tick } from "../pass.ts";
import { recordOf } from "../record.ts";
import { inEachFamily, onApt, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { dropIn, passWith, retry, serveNext, withSettings } from "../staging.ts";

/** Rows 9 and 10: what the unit alone does not tell, and what is not the version's fault. */
export const health: Row = {
  scenarios: [
    ...inEachFamily(9, "the new version is active, and the admin's own check says that it is not well", async (stage) => {
      const version = await serveNext(stage);
      await stage.host.write("/usr/local/bin/well", `#!/bin/sh\n! svc version | grep -qF v${version}\n`, { mode: "0755" });
      await withSettings(stage, "health: {settle: 2s, command: [/usr/local/bin/well]}\n", () =>
        expectUndone(stage, { step: "health", code: "unhealthy" }),
      );
    }),
    ...onApt(9, "a check that cannot be run says nothing against the version", async (stage) => {
      const version = await serveNext(stage);
      await withSettings(stage, "health: {settle: 2s, command: [/nowhere/check]}\n", () => expectMoved(stage, version));
    }),
    ...inEachFamily(10, "the network goes while the agent settles: nothing is undone", async (stage) => {
      const version = await serveNext(stage);
      const passed = await passWith(stage, "health", () => stage.host.network.cable("out"));
      await expectEnded(stage, passed, { status: 0, outcome: { kind: "moved" }, version });
      await stage.host.network.cable("in");
    }),
    ...onApt(10, "an admin stops the agent while it settles: nothing is undone", async (stage) => {
      const version = await serveNext(stage);
      const stop = (): Promise<unknown> => stage.host.enter(["systemctl", "stop", "svc.service"]);
      const passed = await passWith(stage, "health", stop);
      await expectEnded(stage, passed, { status: 0, outcome: { kind: "moved" }, version, agent: "is ill" });
      await stage.host.mustRun(["systemctl", "start", "svc.service"]);
    }),
    ...inEachFamily(10, "the agent was ill before and is ill after: the version is not blamed", (stage) => illBefore(stage)),
    ...onApt(10, "the admin's own check says no to every version: the new one is not blamed", async (stage) => {
      const { host } = stage;
      const version = await serveNext(stage);
      await host.write("/usr/local/bin/no", "#!/bin/sh\nexit 1\n", { mode: "0755" });
      await withSettings(stage, "health: {settle: 2s, command: [/usr/local/bin/no]}\n", () =>
        expectPass(stage, { status: 11, outcome: { kind: "failed", step: "health", back: { kind: "not-tried" } }, version }),
      );
      deepEqual(recordOf(host).rejected, []);
    }),
    ...onApt(10, "the agent was stopped by an admin before: it stays stopped", async (stage) => {
      await stage.host.mustRun(["systemctl", "stop", "svc.service"]);
      const version = await serveNext(stage);
      await expectPass(stage, { status: 0, outcome: { kind: "moved" }, version, agent: "is ill" });
      equal((await stage.host.enter(["systemctl", "is-active", "svc.service"])).stdout.trim(), "inactive");
      await stage.host.mustRun(["systemctl", "start", "svc.service"]);
    }),
  ],
  unstaged: [],
};

/** What keeps it down lies outside of any version. */
async function illBefore(stage: Stage): Promise<void> {
  const { host } = stage;
  const wall = await dropIn(host, "[Unit]\nStartLimitIntervalSec=0\n[Service]\nRestartSec=1\nExecStartPre=/bin/false\n");
  await host.run(["systemctl", "restart", "svc.service"]);
  const version = await serveNext(stage);
  await tick(host);
  await wall.remove();
  const { rejected } = recordOf(host);
  equal(rejected.filter(({ served }) => served === version).length, 0);
  await host.mustRun(["systemctl", "restart", "svc.service"]);
  await retry(stage);
}
