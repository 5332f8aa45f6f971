import { match, ok } from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../../system/lab/until.ts";
import { expectCrashUndone, expectPass, expectStay } from "../expect-pass.ts";
import { recordOf } from "../record.ts";
import { inEachFamily, onApt, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { serveNext, withSettings } from "../staging.ts";
import { expectRunning } from "../whole.ts";

export const badVersions: Row = {
  scenarios: [
    ...inEachFamily(8, "the new version crashes at its start", async (stage) => {
      await serveNext(stage, { start: "crashes" });
      const { outcome } = await expectCrashUndone(stage);
      // Why it crashed is still known when its journal is gone.
      ok(outcome.kind === "undone");
      const [where = ""] = outcome.evidence;
      match(await stage.host.read(where.replace(/^in /, "")), /cannot start/);
      await expectStay(stage, "rejected");
    }),
    ...inEachFamily(8, "the new version crashes after two seconds", async (stage) => {
      await serveNext(stage, { start: "crashes-later" });
      await withSettings(stage, "health: {settle: 7s}\n", () => expectCrashUndone(stage));
    }),
    ...inEachFamily(8, "the new version crashes, and its own package restarts it", async (stage) => {
      await serveNext(stage, { start: "crashes", scripts: "restart" });
      await expectCrashUndone(stage);
    }),
    ...onApt(8, "the new version crashes after the gate: the next pass says so, and rollback helps", (stage) =>
      crashesLate(stage),
    ),
  ],
  unstaged: [],
};

async function crashesLate(stage: Stage): Promise<void> {
  const { host } = stage;
  const version = await serveNext(stage, { start: "crashes-later" });
  await withSettings(stage, "health: {settle: 0s}\n", () =>
    expectPass(stage, { status: 0, outcome: { kind: "moved" }, version, agent: "is ill" }),
  );
  await until("systemd to start it again", 20_000, async () => {
    const { stdout } = await host.enter(["systemctl", "show", "--property=NRestarts", "--value", "svc.service"]);
    return Number(stdout) > 0 ? true : undefined;
  });
  await sleep(1000);
  await expectPass(stage, { status: 0, outcome: { kind: "stayed" }, why: "current", version, agent: "is ill" });
  match(await host.journal("svc-upgrade.service"), /was healthy after the move .* svc-upgrade rollback/);
  await host.mustRun(["svc-upgrade", "rollback"]);
  await expectRunning(host, stage.current());
  ok(recordOf(host).rejected.some(({ served }) => served === version));
}
