import { expect, test } from "vitest";
import { parse } from "yaml";
import { excerpt } from "../../documents.ts";
import { until } from "../../system/lab/until.ts";
import { startAgent, startChartsUpdater, startCluster, type Cluster } from "../lab/agent.ts";
import { chart, helmOf } from "../lab/helm.ts";
import type { Kubectl } from "../lab/kubectl.ts";
import { inNamespace, type Stage } from "../lab/namespace.ts";
import { decided, longestMs, seen, versionServer } from "../lab/updater.ts";
import { wayTo } from "../lab/way.ts";

/** A window of the cluster reaches the updater: tctl, auth, the agent in its pod, the Secret, svc-kube-updater. */

async function install({ lab, namespace }: Stage, cluster: Cluster, versions: string): Promise<void> {
  const { secret: token } = JSON.parse(await cluster.tctl(["tokens", "add", "--type=node", "--format=json"])) as {
    readonly secret: string;
  };
  await helmOf(
    lab,
    "helm4",
    namespace,
  )(["install", "agent", chart], {
    enterprise: true,
    image: { repository: "svc", tag: "15.4.5" },
    join: { authServer: cluster.authServer, caPin: cluster.pin, token },
    updater: { enabled: true, image: { repository: "updater" }, versionServer: versions, allowPlainHttp: true },
  });
}

const secret = "secret/agent-shared-state";
const key = "{.data.agent-maintenance-schedule}";

type Exported = { readonly windows: readonly { readonly start: string; readonly stop: string }[] };

async function exported(
  admin: Kubectl,
  isSo: (windows: Exported["windows"]) => boolean,
  what: string,
): Promise<Exported["windows"]> {
  return until(what, longestMs, async () => {
    const encoded = await seen(admin, secret, key).catch(() => "");
    if (encoded === "") return undefined;
    const { windows } = JSON.parse(Buffer.from(encoded, "base64").toString()) as Exported;
    return isSo(windows) ? windows : undefined;
  });
}

const hourOf = (window: { readonly start: string } | undefined): number => new Date(window?.start ?? "").getUTCHours();
const opensAt =
  (hour: number) =>
  (windows: Exported["windows"]): boolean =>
    hourOf(windows[0]) === hour;

function windowAt(hour: number): string {
  const spec = { agent_upgrades: { utc_start_hour: hour } };
  return JSON.stringify({
    kind: "cluster_maintenance_config",
    version: "v1",
    metadata: { name: "cluster-maintenance-config" },
    spec,
  });
}

test(
  "a window of the cluster reaches the updater, another one replaces it, and its removal takes it away",
  inNamespace([], async (stage) => {
    const { admin, lab } = stage;
    await using cluster = await startCluster();
    await using versions = await versionServer("v15.4.6");
    await install(stage, cluster, versions.url);
    const { rules } = JSON.parse(await admin(["get", "role/agent", "--output=json"])) as { readonly rules: unknown };
    expect(rules).toEqual(parse(excerpt("kube-agent-role").replace("release-", "agent-")));
    await using way = await wayTo(lab.server);
    await using agent = await startAgent({ ...stage, server: way.url });
    await agent.said("this host is a node of the cluster example");
    await exported(admin, (windows) => windows.length === 0, "there is no window yet");
    const inventory = (...words: readonly string[]): Promise<string> => cluster.tctl(["inventory", "ls", ...words]);
    expect(await inventory("--upgrader=none")).toContain("agent-0");

    await using updater = await startChartsUpdater(stage);
    await decided(admin, "schedule-empty");
    await until("the inventory has it", longestMs, async () => /agent-0 .* kube$/m.test(await inventory()) || undefined);
    expect(await inventory("--upgrader=none")).not.toContain("agent-0");

    // Far enough from now that it opens for nobody who plays this.
    const hour = (new Date().getUTCHours() + 3) % 24;
    expect(await cluster.tctl(["create", "-"], windowAt(hour))).toContain("maintenance window has been updated");
    const [first] = await exported(admin, opensAt(hour), "the window is there");
    await decided(admin, "outside-window");
    expect(await seen(admin, "configmap/statefulset-agent-updater", "{.data.status}")).toContain(`until: ${first?.start}\n`);
    await until("the inventory says why", longestMs, async () => {
      const told = await cluster.tctl(["inventory", "show", "agent-0"]);
      return (
        (/^Decision +stay: outside-window until /m.test(told) &&
          /^Package +statefulset\/agent 15\.4\.5$/m.test(told) &&
          /^Window +the cluster's$/m.test(told)) ||
        undefined
      );
    });

    await way.cut();
    await agent.said(
      /the cluster's windows did not reach the updater: the Secret \S+\/agent-shared-state could not be written: /,
    );
    const next = (hour + 5) % 24;
    await cluster.tctl(["create", "-f", "-"], windowAt(next));
    await way.restore();
    await exported(admin, opensAt(next), "the other window is there");

    await admin(["delete", secret]);
    await exported(admin, opensAt(next), "what was deleted is there again");
    await admin([
      "patch",
      secret,
      "--type=merge",
      `--patch=${JSON.stringify({ data: { "agent-maintenance-schedule": btoa("by hand") } })}`,
    ]);
    await agent.said(
      /could not be written: .*conflict with "kubectl-patch".*; somebody else has set it: `kubectl .* delete secret agent-shared-state`/,
    );
    await admin(["delete", secret]);
    await exported(admin, opensAt(next), "it is the agent's again");

    await cluster.tctl(["rm", "cluster_maintenance_config/cluster-maintenance-config"]);
    await exported(admin, (windows) => windows.length === 0, "the window is taken away");
    await decided(admin, "schedule-empty");
    expect(updater.log()).not.toMatch(/level=error/);
  }),
);
