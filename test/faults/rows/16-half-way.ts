import { deepEqual, ok } from "node:assert/strict";
import { buildPackage } from "../../system/lab/package.ts";
import { tryInstall } from "../../system/lab/package-tools.ts";
import { expectPass } from "../expect-pass.ts";
import { tick } from "../pass.ts";
import { lastPass, recordOf } from "../record.ts";
import { onApt, type Row } from "../scenario.ts";
import { serveNext } from "../staging.ts";

/** What was half-way before a pass of ours began. That of a pass is in rows 2 to 4. */
export const halfWay: Row = {
  scenarios: [
    ...onApt(16, "another package is half configured: the version is not blamed for it", async (stage) => {
      const { host, repository } = stage;
      await repository.publish(
        await buildPackage(host, { name: "other", version: "1.0", scripts: { postinst: "test -e /run/may-configure\n" } }),
      );
      await host.mustRun(["apt-get", "update"]);
      await tryInstall(host, "other", "1.0");
      await serveNext(stage);
      await tick(host);
      deepEqual(recordOf(host).rejected, []);
      ok(lastPass(host).outcome.kind !== "undone");
      await host.mustRun(["touch", "/run/may-configure"]);
      await host.mustRun(["dpkg", "--configure", "-a"]);
    }),
    ...onApt(16, "the agent's own package is half configured: it is repaired, once", async (stage) => {
      const { host } = stage;
      const broken = await stage.publish({ scripts: "failing" });
      await host.mustRun(["apt-get", "update"]);
      await tryInstall(host, "svc-ent", broken);
      const version = await serveNext(stage);
      await expectPass(stage, { status: 0, outcome: { kind: "moved" }, version });
    }),
  ],
  unstaged: [],
};
