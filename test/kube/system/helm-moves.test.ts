import { expect, test } from "vitest";
import { startChartsUpdater } from "../lab/agent.ts";
import { chart, helmOf, helms } from "../lab/helm.ts";
import { inNamespace } from "../lab/namespace.ts";
import { givenBack, seen, versionServer } from "../lab/updater.ts";
import { makeVolume } from "../lab/volume.ts";

/** What the updater has moved is helm's to upgrade and to roll back: no conflict is left of a move. */

for (const name of helms) {
  test.concurrent(
    `${name} finds no conflict after a move, and its rollback is told and moved again`,
    inNamespace([], async (stage) => {
      const { admin, lab, namespace } = stage;
      await makeVolume({ namespace, admin });
      const helm = helmOf(lab, name, namespace);
      await using server = await versionServer("v15.4.6");
      const values = {
        enterprise: true,
        image: { repository: "registry.example:5000/svc", tag: "15.4.5" },
        updater: { enabled: true, image: { repository: "updater" }, versionServer: server.url, allowPlainHttp: true },
      };
      const now = async (): Promise<readonly string[]> => [
        await seen(admin, "statefulset/agent", "{.spec.template.spec.containers[0].image}"),
        await seen(admin, "statefulset/agent", "{.metadata.generation}"),
      ];
      const rolledOut = (): Promise<string> => admin(["rollout", "status", "statefulset/agent", "--timeout=20s"]);
      const runNow = (): Promise<string> => {
        const instant = new Date().toISOString().replace(/\.\d+/, "");
        return admin(["annotate", "--overwrite", "statefulset/agent", `svc.dev/run-now=${instant}`]);
      };
      await helm(["install", "agent", chart], values);
      await rolledOut();
      {
        await using updater = await startChartsUpdater({ admin, lab, namespace });
        await runNow();
        await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\)/m);
        await givenBack(admin);
        const moved = await now();
        expect(moved).toEqual(["registry.example:5000/svc:15.4.6", "2"]);
        await helm(["upgrade", "agent", chart, "--reuse-values", "--set=updater.releaseChannel=other"]);
        expect(await now()).toEqual(moved);

        await helm(["rollback", "agent", "1"]);
        await updater.said(/^a tool has undone the move \(15\.4\.5 -> 15\.4\.6\): \S+:15\.4\.5 was set by helm at /m);
        await rolledOut();
        expect(await now()).toEqual(["registry.example:5000/svc:15.4.5", "3"]);
        await runNow();
        await updater.said(/^upgraded [^]*^upgraded \(15\.4\.5 -> 15\.4\.6\)/m);
        await givenBack(admin);
      }
      const again = await now();
      await helm(["upgrade", "agent", chart], { ...values, updater: { ...values.updater, enabled: false } });
      expect(await now()).toEqual(again);
    }),
  );
}
