import { equal } from "node:assert/strict";
import { expectEnded, expectUndone } from "../expect-pass.ts";
import { tick } from "../pass.ts";
import { recordOf } from "../record.ts";
import { inEachFamily, type Row } from "../scenario.ts";
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
    ...inEachFamily(10, "the network goes while the agent settles: nothing is undone", async (stage) => {
      const version = await serveNext(stage);
      const passed = await passWith(stage, "health", () => stage.host.network.cable("out"));
      await expectEnded(stage, passed, { status: 0, outcome: { kind: "moved" }, version });
      await stage.host.network.cable("in");
    }),
    ...inEachFamily(10, "the agent was ill before and is ill after: the version is not blamed", (stage) => illBefore(stage)),
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
