import { deepEqual, equal, match, notEqual, partialDeepStrictEqual } from "node:assert/strict";
import { emptyCaches } from "../../system/lab/package-tools.ts";
import type { NoRollback, StepName } from "../../../src/updater/record/state.ts";
import { expectStatus } from "../expect-status.ts";
import { tick } from "../pass.ts";
import { lastPass, recordOf } from "../record.ts";
import { inEachFamily, onApt, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { dropIn, mendByHand, passWith, serveNext, withSettings } from "../staging.ts";
import { versionsIn } from "../whole.ts";

const kept = "/var/lib/svc-upgrade/packages";

/** Longer than the crashing agent lives. */
const settle = "health: {settle: 6s}\n";

/** How the rollback ends, what a shell line does to it while the version fails, and what is set besides. */
type Stuck = {
  readonly back: { readonly kind: NoRollback["kind"]; readonly step?: StepName };
  readonly line: string;
  readonly settings?: string;
};

export const noRollback: Row = {
  scenarios: [
    ...inEachFamily(11, "the rollback has no package: the kept one is gone", async (stage) => {
      await emptyCaches(stage.host);
      await isStuck(stage, { back: { kind: "not-tried" }, line: `rm -f ${kept}/*` });
      await mendByHand(stage);
    }),
    ...onApt(11, "the rollback has no package: the kept one was altered", async (stage) => {
      const line = `for file in ${kept}/*; do echo altered >>"$file"; done`;
      await isStuck(stage, { back: { kind: "not-tried" }, line });
      await mendByHand(stage);
    }),
    ...inEachFamily(11, "the rollback fails at its installation: /usr/bin takes no file", async (stage) => {
      const line = "mount --bind /usr/bin /usr/bin && mount -o remount,bind,ro /usr/bin";
      await isStuck(stage, { back: { kind: "failed", step: "back-install" }, line });
      await stage.host.enter(["umount", "--lazy", "/usr/bin"]);
      await mendByHand(stage);
    }),
    ...inEachFamily(11, "the rollback fails at its proof: the binary says something else", async (stage) => {
      const liar = "#!/bin/sh\nif [ -e /run/lie ]; then echo 'Svc Enterprise v9.9.9'; else exec svc version; fi\n";
      await stage.host.write("/usr/local/bin/liar", liar, { mode: "0755" });
      const settings = `${settle}agent: {version_command: [/usr/local/bin/liar]}\n`;
      await isStuck(stage, { back: { kind: "failed", step: "back-verify" }, line: "touch /run/lie", settings });
      await mendByHand(stage);
    }),
    ...inEachFamily(11, "the rollback fails at its activation: the unit starts with no version", async (stage) => {
      const wall = await dropIn(stage.host, "[Service]\nExecStartPre=/usr/bin/test ! -e /run/closed\n");
      await isStuck(stage, { back: { kind: "failed", step: "back-activate" }, line: "touch /run/closed" });
      await wall.remove();
      await mendByHand(stage);
    }),
    ...inEachFamily(11, "the rollback fails at its health: the check says no to the version of before too", async (stage) => {
      await stage.host.write("/usr/local/bin/no", "#!/bin/sh\ntest ! -e /run/closed\n", { mode: "0755" });
      const settings = "health: {settle: 6s, command: [/usr/local/bin/no]}\n";
      await isStuck(stage, { back: { kind: "failed", step: "back-health" }, line: "touch /run/closed", settings });
      await mendByHand(stage);
    }),
  ],
  unstaged: [],
};

/** The pass ends loudly, no pass after it tries anything, and `status` says what a person can do. Only a rollback that failed calls for one. */
async function isStuck(stage: Stage, { back, line, settings = settle }: Stuck): Promise<void> {
  const { host } = stage;
  await serveNext(stage, { start: "crashes-later" });
  const fails = (): Promise<unknown> => host.enter(["sh", "-c", line]);
  const { status, before } = await withSettings(stage, settings, () => passWith(stage, "health", fails));
  const pass = lastPass(host);
  notEqual(pass.id, before);
  const failed = { kind: "failed", step: "health", fault: { code: "unhealthy" }, back };
  partialDeepStrictEqual({ status, outcome: pass.outcome }, { status: 11, outcome: failed });
  const asItWas = await versionsIn(host);
  for (let passes = 0; passes < 2; passes += 1) {
    const stayed = await tick(host);
    equal(stayed, 0);
    equal(lastPass(host).outcome.kind, "stayed");
    await expectStatus(stage, stayed);
  }
  deepEqual(await versionsIn(host), asItWas);
  const { needsOperator, rejected } = recordOf(host);
  equal(needsOperator !== undefined, back.kind === "failed", `a person is called: ${needsOperator?.why}`);
  equal(rejected.length, 1, "the version is not remembered");
  match((await host.run(["svc-upgrade", "status"])).stdout, /svc-upgrade retry/);
  await host.enter(["rm", "-f", "/run/lie", "/run/closed"]);
}
