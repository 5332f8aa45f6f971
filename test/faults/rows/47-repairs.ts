import { deepEqual, equal, ok } from "node:assert/strict";
import { emptyCaches } from "../../system/lab/package-tools.ts";
import { expectCrashUndone, expectMoved, expectPass } from "../expect-pass.ts";
import { expectStatus } from "../expect-status.ts";
import { expectNobodyCalled } from "../honest.ts";
import { tick } from "../pass.ts";
import { lastPassId, recordOf } from "../record.ts";
import { inEachFamily, type Row } from "../scenario.ts";
import { closeWindow, openWindow, type Stage } from "../stage.ts";
import { serveNext } from "../staging.ts";
import { expectRunning, expectWhole } from "../whole.ts";

/** The version that is installed is broken, and another one is served: first the one, then the other. */
export const repairs: Row = {
  scenarios: [
    ...inEachFamily(47, "the binary is cut short, a bad version is served, the repository is down: repaired", async (stage) => {
      const { server } = stage.repository;
      await emptyCaches(stage.host);
      await cutBinary(stage);
      const bad = await serveNext(stage, { start: "crashes" });
      await server.goDown();
      await expectRepaired(stage);
      await server.comeUp();
      await expectUpgradeUndone(stage, bad);
    }),
    ...inEachFamily(47, "the binary is cut short, a bad version is served, the network is down: repaired", async (stage) => {
      const { network } = stage.host;
      await emptyCaches(stage.host);
      await cutBinary(stage);
      const bad = await serveNext(stage, { start: "crashes" });
      await network.cable("out");
      await expectRepaired(stage);
      await network.cable("in");
      await expectUpgradeUndone(stage, bad);
    }),
    ...inEachFamily(47, "the binary is cut short, a good version is served: repaired first, then upgraded", async (stage) => {
      await cutBinary(stage);
      const version = await serveNext(stage);
      await expectRepaired(stage);
      await expectMoved(stage, version);
    }),
    ...inEachFamily(47, "the binary is cut short, its package is nowhere: the served version is taken", async (stage) => {
      const { host, repository } = stage;
      await repository.withdraw("svc-ent", stage.current());
      await host.mustRun(["rm", "-rf", "/var/lib/svc-upgrade/packages"]);
      await emptyCaches(stage.host);
      await cutBinary(stage);
      const version = await serveNext(stage);
      const passes = await passesUntilWhole(stage, version);
      await expectRunning(host, version);
      expectBlamedIs(stage, []);
      return passes === 1 ? "in one pass" : `in ${passes} passes`;
    }),
    ...inEachFamily(
      47,
      "the binary is cut short outside the window: every pass says so, repaired in the window",
      async (stage) => {
        await cutBinary(stage);
        await closeWindow(stage.host);
        for (const _ of [1, 2]) {
          equal(await tick(stage.host), 0);
          await expectStatus(stage, 0);
        }
        await openWindow(stage.host);
        await expectRepaired(stage);
      },
    ),
  ],
  unstaged: [],
};

/** As a full disk or a bad block leaves it; the process that runs keeps the file that it was started from. */
async function cutBinary({ host }: Stage): Promise<void> {
  const line = "head -c 4096 /usr/bin/svc >/usr/bin/svc.cut && chmod 755 /usr/bin/svc.cut && mv -f /usr/bin/svc.cut /usr/bin/svc";
  await host.mustRun(["sh", "-c", line]);
}

/** One pass puts back the version that is installed, and has nothing against any version. */
async function expectRepaired(stage: Stage): Promise<void> {
  const { host } = stage;
  const before = lastPassId(host);
  await tick(host);
  ok(lastPassId(host) !== before, "the pass left no record");
  await expectWhole(host, stage.current());
  await expectRunning(host, stage.current());
  expectBlamedIs(stage, []);
}

async function expectUpgradeUndone(stage: Stage, bad: string): Promise<void> {
  await expectCrashUndone(stage);
  expectBlamedIs(stage, [bad]);
  await expectPass(stage, { status: 0, outcome: { kind: "stayed" }, why: "rejected" });
}

function expectBlamedIs({ host }: Stage, versions: readonly string[]): void {
  const state = recordOf(host);
  deepEqual(
    state.rejected.map(({ served }) => served),
    versions,
  );
  expectNobodyCalled(state);
}

/** Two tries to put back what is installed come first. */
const mostPasses = 3;

async function passesUntilWhole({ host }: Stage, version: string): Promise<number> {
  for (let passes = 1; ; passes += 1) {
    // A try that found no package waits some minutes; what an admin asks for does not.
    if (passes === 1) await tick(host);
    else await host.run(["svc-upgrade", "run", "--now"]);
    try {
      await expectWhole(host, version);
      return passes;
    } catch (failure) {
      if (passes === mostPasses) throw failure;
    }
  }
}
