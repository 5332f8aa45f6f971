import { expect, test } from "vitest";
import { startChartsUpdater } from "../lab/agent.ts";
import { chart, helmOf, helms } from "../lab/helm.ts";
import { inNamespace } from "../lab/namespace.ts";
import { recorded } from "../lab/moves.ts";
import { decided, givenBack, seen, versionServer } from "../lab/updater.ts";
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

/** What helm of a release of helm 4 says where the updater has set the image since it looked. */
const conflict = /conflict with "svc-kube-updater"/;

for (const [outcome, steps] of [
  ["is proven", ["and it begins now", "the image is about to be changed", "the pods are being replaced", "all pods run it"]],
  ["goes back", ["the pods are being replaced", "the image is about to be put back", "the image is put back"]],
] as const) {
  test.concurrent(
    `a move ${outcome} whatever its step when helm4 upgrades the release with another template`,
    inNamespace([], async (stage) => {
      const { admin, lab, namespace } = stage;
      await makeVolume({ namespace, admin });
      const helm = helmOf(lab, "helm4", namespace);
      await using server = await versionServer("v15.4.5");
      const valuesWith = (memory: string): object => ({
        enterprise: true,
        resources: { limits: { memory } },
        image: { repository: "svc", tag: "15.4.5" },
        updater: { enabled: true, image: { repository: "updater" }, versionServer: server.url, allowPlainHttp: true },
      });
      await helm(["install", "agent", chart], valuesWith("1Gi"));
      await admin(["rollout", "status", "statefulset/agent", "--timeout=60s"]);
      await using updater = await startChartsUpdater(stage, "{ask: 1s, gather: 1s, health: 4s, settle: 1s, free: 1s}");
      await decided(admin, "current");
      for (const [index, step] of steps.entries()) {
        const version = `15.5.${index}${outcome === "is proven" ? "" : "-bad"}`;
        await server.serves(`v${version}`);
        const instant = new Date().toISOString().replace(/\.\d+/, "");
        await admin(["annotate", "--overwrite", "statefulset/agent", `svc.dev/run-now=${instant}`]);
        await updater.said(new RegExp(`${version.replaceAll(".", String.raw`\.`)}.*${step}`));
        const upgrade = (): Promise<string> => helm(["upgrade", "agent", chart], valuesWith(`${index + 2}Gi`));
        await upgrade().catch((failure: unknown) => {
          if (!conflict.test(String(failure))) throw failure;
          return upgrade();
        });
        const end = outcome === "is proven" ? "upgraded" : "taken back";
        await updater.said(new RegExp(`^${end} \\(\\S+ -> ${version.replaceAll(".", String.raw`\.`)}\\)`, "m"));
        await decided(admin, outcome === "is proven" ? "current" : "rejected");
        await givenBack(admin);
        await admin(["rollout", "status", "statefulset/agent", "--timeout=60s"]);
        const image = outcome === "is proven" ? version : "15.4.5";
        const container = "{.spec.template.spec.containers[0].image} {.spec.template.spec.containers[0].resources.limits.memory}";
        expect(await seen(admin, "statefulset/agent", container)).toBe(`svc:${image} ${index + 2}Gi`);
      }
      const { rejected = [] } = await recorded(admin);
      expect(rejected.map(({ served }) => served).filter((served) => !served.includes("bad"))).toEqual([]);
    }),
    240_000,
  );
}
