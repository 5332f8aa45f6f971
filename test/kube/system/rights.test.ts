import { expect, test } from "vitest";
import { until } from "../../system/lab/until.ts";
import type { Kubectl } from "../lab/kubectl.ts";
import { generation, goodPods, images, made, openWindow, quick, recorded } from "../lab/moves.ts";
import { inNamespace, type Rule } from "../lab/namespace.ts";
import { statefulSet } from "../lab/stateful-set.ts";
import { decided, deploymentRules, longestMs, seen, startUpdater, trigger, updaterRules, versionServer } from "../lab/updater.ts";
import { wayTo } from "../lab/way.ts";

/** Each right of the document is taken away and given back: what is lacking is told by its name, and nothing is lost by it. */

function without(verb: string, resources: readonly string[], rules = updaterRules): readonly Rule[] {
  return rules.map((rule) =>
    rule.resources.some((name) => resources.includes(name)) ? { ...rule, verbs: rule.verbs.filter((one) => one !== verb) } : rule,
  );
}

async function mayDo(admin: Kubectl, rules: readonly Rule[]): Promise<void> {
  await admin(["patch", "role/account", "--type=merge", `--patch=${JSON.stringify({ rules })}`]);
}

const resourceOf = (name: string): string => name.replace(/\/.*/, "");

for (const { kind, rules, watched, verb } of [
  { kind: "StatefulSet", rules: updaterRules, watched: ["statefulsets/agent"] },
  { kind: "Deployment", rules: deploymentRules, watched: ["deployments/agent", "replicasets"] },
].flatMap((one) => ["list", "watch"].map((lacks) => ({ ...one, verb: lacks })))) {
  test.concurrent(
    `what it may no longer ${verb} of a ${kind} is told, though a watch was open, and seen again when it may`,
    inNamespace(rules, async (stage) => {
      const { admin, lab } = stage;
      const { spec, ...set } = statefulSet({ name: "agent", image: "svc:15.4.5", replicas: 0 }) as Workload;
      const { serviceName: _, ...others } = spec;
      await admin(["create", "--filename=-"], kind === "Deployment" ? { ...set, kind, spec: others } : { ...set, spec });
      await using server = await versionServer("v15.4.5");
      await using way = await wayTo(lab.server);
      await using updater = startUpdater(stage, server.url, (text) =>
        text.replace(lab.server, way.url).replace("StatefulSet", kind),
      );
      const record = `${kind.toLowerCase()}-agent-updater`;
      const names = [...watched, "pods", `configmaps/${record}`, "secrets/release-shared-state"];
      await decided(admin, "current", record);
      const before = await seen(admin, `configmap/${record}`, "{.metadata.resourceVersion}");
      // A watch that is open outlives the right; once a connection was refused it lists again.
      await way.cut();
      await mayDo(admin, without(verb, names.map(resourceOf), rules));
      for (const name of names) await updater.said(new RegExp(`it cannot be watched name=${name} why="[^"]*ECONNREFUSED`));
      await way.restore();
      for (const name of names) {
        await updater.said(new RegExp(`it cannot be watched name=${name} .*cannot ${verb} resource .*${resourceOf(name)}`));
      }
      // What it cannot read it does not write over.
      expect(await seen(admin, `configmap/${record}`, "{.metadata.resourceVersion}")).toBe(before);
      await mayDo(admin, without(verb, ["pods"], rules));
      await decided(admin, "api-refused", record);
      expect(await seen(admin, `configmap/${record}`, "{.data.status}")).toMatch(
        /decision: stop: pods cannot be seen: .*forbidden/,
      );
      await mayDo(admin, rules);
      for (const name of names) await updater.said(new RegExp(`it can be watched again name=${name}`));
      await server.serves("v15.4.6");
      await trigger(admin, "15.4.6", `${kind.toLowerCase()}/agent`);
      await decided(admin, "schedule-missing", record);
    }),
  );
}

type Workload = { readonly spec: { readonly serviceName: string } };

test.concurrent(
  "does nothing that it may not write down, at the beginning of a move and before a way back",
  inNamespace(without("create", ["configmaps"]), async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await openWindow(admin);
    await using server = await versionServer("v15.4.6-bad");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/the record could not be written .*cannot create resource .*configmaps/);
    expect(await generation(admin)).toBe("1");
    await mayDo(admin, updaterRules);
    await trigger(admin, "may create");
    await updater.said(/the pods are being replaced/);
    await mayDo(admin, without("patch", ["configmaps"]));
    await updater.said(/the record could not be written .*cannot patch resource .*configmaps/);
    expect(await generation(admin)).toBe("2");
    const good = await goodPods(admin);
    expect(good).toHaveLength(2);
    await mayDo(admin, updaterRules);
    await trigger(admin, "may patch");
    await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6-bad\): agent-2: its container runs and is not ready object=agent$/m);
    await decided(admin, "rejected");
    expect(await goodPods(admin)).toEqual(expect.arrayContaining([...good]));
    expect((await recorded(admin)).rejected).toMatchObject([{ served: "15.4.6-bad" }]);
    expect(await generation(admin)).toBe("3");
  }),
);

test.concurrent(
  "waits where it may not patch statefulsets, and moves when it is asked to and may",
  inNamespace(without("patch", ["statefulsets"]), async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await openWindow(admin);
    await using server = await versionServer("v15.4.6");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/after a failure: this updater has no right to change it: .*cannot patch resource.* reason=backing-off/);
    expect(await generation(admin)).toBe("1");
    await mayDo(admin, updaterRules);
    await admin(["annotate", "statefulset/agent", `svc.dev/run-now=${new Date().toISOString().replace(/\.\d+/, "")}`]);
    await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\) object=agent$/m);
  }),
);

test.concurrent(
  "goes back when it may patch statefulsets again, and frees the set when it may delete pods again",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await openWindow(admin);
    await using server = await versionServer("v15.4.6-bad");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/the pods are being replaced/);
    await mayDo(admin, without("patch", ["statefulsets"]));
    await updater.said(/put back; the last try: this updater has no right to change it: .*cannot patch resource/);
    const good = await goodPods(admin);
    await mayDo(admin, without("delete", ["pods"]));
    await trigger(admin, "may patch");
    await updater.said(/a stuck pod could not be deleted object=agent pod=agent-2 why=.*cannot delete resource/);
    await mayDo(admin, updaterRules);
    await trigger(admin, "may delete");
    await updater.said(/^a stuck pod is deleted object=agent pod=agent-2$/m);
    await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6-bad\)/m);
    await decided(admin, "rejected");
    expect(await images(admin)).toBe("svc:15.4.5 svc:15.4.5 svc:15.4.5");
    expect(await goodPods(admin)).toEqual(expect.arrayContaining([...good]));
    expect((await recorded(admin)).rejected).toMatchObject([{ served: "15.4.6-bad" }]);
  }),
);

test.concurrent(
  "an Event that it may not write is written when it may",
  inNamespace(without("patch", ["events"]), async (stage) => {
    const { admin } = stage;
    await admin(["create", "--filename=-"], statefulSet({ name: "agent", image: "svc:15.4.5", replicas: 0 }));
    await using server = await versionServer("v15.4.6");
    await using updater = startUpdater(stage, server.url);
    await updater.said(/the Event could not be written reason=ScheduleMissing why=.*cannot patch resource .*events/);
    await mayDo(admin, without("create", ["events"]));
    await admin(["annotate", "statefulset/agent", "svc.dev/skipreconcile=true"]);
    await updater.said(/the Event could not be written reason=Suspended why=.*cannot create resource .*events/);
    await mayDo(admin, updaterRules);
    await trigger(admin, "may tell");
    const told = await until("both Events are there", longestMs, async () => {
      const reasons = (await seen(admin, "events.events.k8s.io", "{.items[*].reason}")).split(" ").toSorted();
      return reasons.length < 2 ? undefined : reasons;
    });
    expect(told).toEqual(["ScheduleMissing", "Suspended"]);
    expect(updater.log().match(/the Event could not be written/g)).toHaveLength(2);
  }),
);
