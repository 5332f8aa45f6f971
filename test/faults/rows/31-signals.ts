import { equal, ok } from "node:assert/strict";
import type { StepName } from "../../../src/updater/record/state.ts";
import { expectEnded, expectMoved } from "../expect-pass.ts";
import { expectMended } from "../mended.ts";
import { beginPass, decidingUnit, tick, transactionUnit } from "../pass.ts";
import { lastPass, lastPassId, recordOf } from "../record.ts";
import { inEachFamily, onApt, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { passWith, serveNext } from "../staging.ts";
import { stepBegins } from "../watch-step.ts";
import { expectRunning, expectWhole, versionsIn } from "../whole.ts";

export const signals: Row = {
  scenarios: [
    ...inEachFamily(31, "an orderly poweroff while the package is installed", (stage) => powersOff(stage, "install")),
    ...inEachFamily(31, "an orderly poweroff while the package is fetched", (stage) => powersOff(stage, "keep")),
    ...inEachFamily(31, "an orderly poweroff while the agent is activated", (stage) => powersOff(stage, "activate")),
    ...inEachFamily(31, "an orderly poweroff while the agent settles", (stage) => powersOff(stage, "health")),
    ...inEachFamily(31, "the unit is stopped while the package is installed: the step is ended", async (stage) => {
      const version = await serveNext(stage);
      const passed = await passWith(stage, "install", () => stage.host.enter(["systemctl", "stop", decidingUnit]));
      await expectEnded(stage, passed, { status: 0, outcome: { kind: "moved" }, version });
    }),
    ...inEachFamily(31, "the unit is stopped before anything was changed: nothing is begun", async (stage) => {
      const version = await serveNext(stage);
      const passed = await passWith(stage, "refresh", () => stage.host.enter(["systemctl", "stop", decidingUnit]));
      await expectEnded(stage, passed, { status: 75, outcome: { kind: "failed", fault: { code: "stopping" }, back: undefined } });
      await expectMoved(stage, version);
    }),
    ...onApt(31, "the transaction's unit is stopped: it comes to its end", async (stage) => {
      const version = await serveNext(stage);
      const passed = await passWith(stage, "install", () => stage.host.enter(["systemctl", "stop", transactionUnit]));
      await expectEnded(stage, passed, { status: 0, outcome: { kind: "moved" }, version });
    }),
    ...["HUP", "TERM", "INT"].flatMap((signal) =>
      onApt(31, `SIG${signal}, twice, to all of the pass while the package is installed`, async (stage) => {
        const { host } = stage;
        await serveNext(stage);
        await passWith(stage, "install", async () => {
          for (const _ of [1, 2]) await host.enter(["systemctl", "kill", `--signal=${signal}`, decidingUnit]);
        });
        await tick(host);
        await expectInOrder(stage);
      }),
    ),
    ...inEachFamily(31, "the agent is restarted by an admin while the package is installed", async (stage) => {
      const version = await serveNext(stage);
      const passed = await passWith(stage, "install", () => stage.host.enter(["systemctl", "restart", "svc.service"]));
      await expectEnded(stage, passed, { status: 0, outcome: { kind: "moved" }, version });
    }),
  ],
  unstaged: [],
};

async function powersOff(stage: Stage, at: StepName): Promise<string> {
  const { host } = stage;
  const target = await serveNext(stage);
  const passBefore = lastPassId(host);
  await beginPass(host);
  await stepBegins(host, at);
  await host.powerOff();
  await host.boot();
  // What the shutdown waited for is whole before any pass has looked at it.
  equal((await versionsIn(host)).length, 1);
  ok((await versionsIn(host)).join("").endsWith(" installed"));
  const left = recordOf(host).step;
  const passes = await expectMended(stage, { target, version: "good", left, passBefore });
  return `${left?.step ?? "nothing"} in hand; ${passes}`;
}

async function expectInOrder(stage: Stage): Promise<void> {
  const { host } = stage;
  const installed = lastPass(host).installed ?? "";
  const { outcome } = lastPass(host);
  const version = outcome.kind === "moved" ? outcome.to.replace(/-1$/, "") : installed;
  await expectWhole(host, version);
  await expectRunning(host, version);
}
