import { deepEqual, equal, ok } from "node:assert/strict";
import type { Host } from "../../system/lab/host.ts";
import { buildPackage } from "../../system/lab/package.ts";
import { refreshLists, tryInstall } from "../../system/lab/package-tools.ts";
import { expectMoved } from "../expect-pass.ts";
import { withoutBinary } from "../half-way.ts";
import { tick } from "../pass.ts";
import { lastPass, recordOf } from "../record.ts";
import { onApt, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { serve, serveNext } from "../staging.ts";
import { expectRunning, expectWhole } from "../whole.ts";

/** What was half-way before a pass of ours began. That of a pass is in rows 2 to 4. */
export const halfWay: Row = {
  scenarios: [
    ...onApt(16, "another package is half configured: the version is not blamed for it", async (stage) => {
      const { host } = stage;
      await besideHalfConfigured(stage, "other");
      await serveNext(stage);
      await tick(host);
      deepEqual(recordOf(host).rejected, []);
      ok(lastPass(host).outcome.kind !== "undone");
      await mendOther(host);
    }),
    ...onApt(
      16,
      "the script of the installed version always fails: repaired twice in vain, then the served one",
      async (stage) => {
        const { host } = stage;
        const broken = await stage.publish({ scripts: "failing" });
        await host.mustRun(["apt-get", "update"]);
        await tryInstall(host, "svc-ent", broken);
        const version = await serveNext(stage);
        equal(await tick(host), 11);
        // The timer's next passes would wait for some minutes.
        equal((await host.run(["svc-upgrade", "run", "--now"])).status, 11);
        await expectMoved(stage, version);
      },
    ),
    ...onApt(16, "another package is half configured: the agent's binary is put back all the same", async (stage) => {
      const { host } = stage;
      await besideHalfConfigured(stage, "other-too");
      serve(stage, stage.current());
      await withoutBinary.bring(stage);
      equal(await tick(host), 0);
      equal(lastPass(host).outcome.kind, "moved");
      await expectRunning(host, stage.current());
      await mendOther(host);
      await expectWhole(host, stage.current());
    }),
  ],
  unstaged: [],
};

async function besideHalfConfigured({ host, repository }: Stage, name: string): Promise<void> {
  const scripts = { postinst: "test -e /run/may-configure\n" };
  await repository.publish(await buildPackage(host, { name, version: "1.0", scripts }));
  await refreshLists(host);
  await tryInstall(host, name, "1.0");
}

async function mendOther(host: Host): Promise<void> {
  await host.mustRun(["touch", "/run/may-configure"]);
  await host.mustRun(["dpkg", "--configure", "-a"]);
  await host.mustRun(["rm", "/run/may-configure"]);
}
