import { equal, ok } from "node:assert/strict";
import { expectPass, expectUndone } from "../expect-pass.ts";
import { tick } from "../pass.ts";
import { inEachFamily, onApt, type Row } from "../scenario.ts";
import { dropIn, retry, serveNext, withSettings } from "../staging.ts";
import { expectWhole } from "../whole.ts";

export const hangs: Row = {
  scenarios: [
    ...onApt(6, "the agent's version command never ends", async (stage) => {
      const { host } = stage;
      await host.write("/usr/local/bin/never", "#!/bin/sh\nexec sleep infinity\n", { mode: "0755" });
      await serveNext(stage);
      await withSettings(stage, "agent: {version_command: [/usr/local/bin/never]}\n", () => within(150, () => tick(host)));
      // A binary that does not say its version is broken, and what a repair brings is the version that is there.
      await expectWhole(host, stage.current());
      equal((await host.enter(["systemctl", "is-active", "svc.service"])).stdout, "active\n");
      await retry(stage);
    }),
    ...onApt(6, "the health command never ends with the new version", async (stage) => {
      const { host } = stage;
      const version = await serveNext(stage);
      const check = `#!/bin/sh\nif svc version | grep -qF v${version}; then exec sleep infinity; fi\n`;
      await host.write("/usr/local/bin/check", check, { mode: "0755" });
      await withSettings(stage, "health: {settle: 2s, command: [/usr/local/bin/check]}\n", () =>
        within(150, () => expectUndone(stage, { step: "health", code: "unhealthy" })),
      );
    }),
    ...onApt(6, "the agent's reload never ends: it is restarted", async (stage) => {
      const version = await serveNext(stage);
      const hang = await dropIn(stage.host, "[Service]\nExecReload=\nExecReload=/bin/sleep infinity\nTimeoutStartSec=20s\n");
      await within(150, () => expectPass(stage, { status: 0, outcome: { kind: "moved" }, version }));
      await hang.remove();
    }),
    ...inEachFamily(6, "the agent takes its time to stop", async (stage) => {
      const version = await serveNext(stage);
      const slow = await dropIn(stage.host, "[Service]\nExecStop=/bin/sleep 8\n");
      await within(120, () => expectPass(stage, { status: 0, outcome: { kind: "moved" }, version }));
      await slow.remove();
    }),
  ],
  unstaged: [
    {
      row: 6,
      name: "a package script that never ends",
      why: "the limit of a transaction is 30 minutes, longer than the rest of the campaign; a test of the unit has it with a short one",
    },
  ],
};

async function within<T>(seconds: number, work: () => Promise<T>): Promise<void> {
  const began = performance.now();
  await work();
  const took = Math.round((performance.now() - began) / 1000);
  ok(took <= seconds, `it took ${took} seconds, more than ${seconds}`);
}
