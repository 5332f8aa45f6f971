import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { excerpt, project } from "../../documents.ts";
import { mustRun } from "../../system/lab/program.ts";
import { until } from "../../system/lab/until.ts";
import { startAgent, startChartsUpdater, startCluster, type Cluster } from "../lab/agent.ts";
import { helms, type HelmName } from "../lab/helm.ts";
import { kubectlOf, type Kubectl, type Lab } from "../lab/kubectl.ts";
import { inLab } from "../lab/namespace.ts";
import { servedChart } from "../lab/served-chart.ts";
import { longestMs, versionServer } from "../lab/updater.ts";
import { makeVolume } from "../lab/volume.ts";

type Terminal = Disposable & { readonly types: (excerptName: string) => Promise<string> };

type Around = {
  readonly lab: Lab;
  readonly cluster: Cluster;
  readonly helm: HelmName;
  readonly instead: Readonly<Record<string, string>>;
};

/** Where kubectl, helm and tctl are; what the document calls by example is there by another name. */
function openTerminal({ lab, cluster, helm, instead }: Around): Terminal {
  const folder = mkdtempSync(join(tmpdir(), "svc-typed-"));
  const program = (name: string, line: string): void => {
    writeFileSync(join(folder, name), `#!/bin/sh\nexec ${line}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  program("kubectl", `${lab.programs}/kubectl "$@"`);
  program("helm", `${lab.programs}/${helm} "$@"`);
  program("tctl", `${process.execPath} ${project}/src/tctl.ts "$@" -c ${cluster.config}`);
  const env = { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, KUBECONFIG: lab.kubeconfig };
  return {
    types: (name) => {
      let text = excerpt(name);
      for (const [shown, here] of Object.entries(instead)) text = text.replaceAll(shown, here);
      return mustRun(["sh", "-euc", text], { env, cwd: folder });
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

for (const helm of helms) {
  test(
    `the five minutes of docs/kubernetes.md are typed as they stand, with ${helm}`,
    inLab(async (lab) => {
      const namespace = `agents-${randomBytes(4).toString("hex")}`;
      const everywhere = kubectlOf(lab, lab.kubeconfig);
      const admin: Kubectl = (argv, ...objects) => everywhere([`--namespace=${namespace}`, ...argv], ...objects);
      await using cluster = await startCluster();
      await using versions = await versionServer("v15.4.6");
      await using charts = await servedChart();
      const instead = {
        agents: namespace,
        "https://proxy.example.com": `${versions.url}\n  allowPlainHttp: true`,
        "https://charts.example.com": charts.url,
        "auth.example.com:3025": cluster.authServer,
        "sha256:…": cluster.pin,
      };
      using terminal = openTerminal({ lab, cluster, helm, instead });
      try {
        const said = await terminal.types("kube-cluster-side");
        expect(said).toContain(cluster.pin);
        expect(said).toContain("maintenance window has been updated");
        await terminal.types("kube-namespace");
        await makeVolume({ namespace, admin });
        expect(await terminal.types("kube-install")).toContain('deployment "agent-updater" successfully rolled out');
        // The lab's pods run nothing.
        await using agent = await startAgent({ lab, admin, namespace, tokenSecret: "svc-token" });
        await using updater = await startChartsUpdater({ lab, admin, namespace });
        await agent.said("this host is a node of the cluster example");
        await until("the updater has decided, and the cluster knows it", longestMs, async () => {
          const looked = await terminal.types("kube-look").catch(() => "");
          return (/^decision: /m.test(looked) && /^\S+ +agent-0 .* kube$/m.test(looked)) || undefined;
        });
        await terminal.types("kube-first-move");
        await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\)/m);
        const looked = await until("the record tells the end", longestMs, async () => {
          const told = await terminal.types("kube-look");
          return told.includes("upgraded (15.4.5 -> 15.4.6)") ? told : undefined;
        });
        expect(looked).toMatch(/^reason: current$/m);
        expect(await admin(["get", "statefulset/agent", "--output=jsonpath={.spec.template.spec.containers[0].image}"])).toBe(
          "registry.example.com/svc:15.4.6",
        );
      } finally {
        await admin(["delete", "namespace", namespace, "--wait=false"]);
        await admin(["delete", "persistentvolume", namespace, "--wait=false"]);
      }
    }),
  );
}
