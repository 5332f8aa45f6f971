import { setTimeout as sleep } from "node:timers/promises";
import { holdManagerLock } from "../../system/lab/manager-lock.ts";
import { expectEnded } from "../expect-pass.ts";
import { beginPass, endOfPass } from "../pass.ts";
import { lastPassId } from "../record.ts";
import { inEachFamily, type Row } from "../scenario.ts";
import { openWindow, type Stage } from "../stage.ts";
import { passWith, serveNext } from "../staging.ts";

/** What a pass needs of a window at least. */
const neededSeconds = 600;
const leftSeconds = 6;
const lockSeconds = 14;

/** Rows 29 and 30: what was allowed when the pass began, and is not any more. */
export const late: Row = {
  scenarios: [
    ...inEachFamily(29, "too little is left of the window once the lock is free: nothing is begun", async (stage) => {
      const { host } = stage;
      await serveNext(stage);
      const lock = await holdManagerLock(host);
      await closeIn(stage, neededSeconds + leftSeconds);
      const before = lastPassId(host);
      await beginPass(host);
      await sleep(lockSeconds * 1000);
      await lock.release();
      const status = await endOfPass(host);
      await expectEnded(
        stage,
        { status, before },
        { status: 75, outcome: { kind: "failed", fault: { code: "overtaken" }, back: undefined } },
      );
      await openWindow(host);
    }),
    ...inEachFamily(29, "the window closes while the package is installed: it is ended", async (stage) => {
      const version = await serveNext(stage);
      const passed = await passWith(stage, "install", () => closeIn(stage, -30));
      await expectEnded(stage, passed, { status: 0, outcome: { kind: "moved" }, version });
      await openWindow(stage.host);
    }),
    ...inEachFamily(30, "a hold is set while the package is fetched", async (stage) => {
      const { host } = stage;
      await serveNext(stage);
      const hold = (): Promise<unknown> => host.write("/etc/svc-upgrade/90-hold.yaml", "hold: {reason: wait}\n");
      const passed = await passWith(stage, "simulate", hold);
      await expectEnded(stage, passed, {
        status: 75,
        outcome: { kind: "failed", fault: { code: "overtaken" }, back: undefined },
      });
      await host.mustRun(["svc-upgrade", "unhold"]);
    }),
  ],
  unstaged: [],
};

async function closeIn({ host }: Stage, seconds: number): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  await host.write("/etc/svc-upgrade.d/schedule", `${now - 7200} ${now + seconds}\n${now + 80_000} ${now + 86_400}\n`);
}
