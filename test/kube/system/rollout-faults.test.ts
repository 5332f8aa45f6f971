import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { inNamespace } from "../lab/namespace.ts";
import {
  changed,
  deployed,
  generation,
  goodPods,
  images,
  made,
  openWindow,
  quick,
  quickDeployment,
  recorded,
} from "../lab/moves.ts";
import { statefulSet } from "../lab/stateful-set.ts";
import { decided, deploymentRules, seen, startUpdater, trigger, updaterRules, versionServer } from "../lab/updater.ts";
import { wayTo } from "../lab/way.ts";

/** Rollouts that cannot be what they are by default. */

test.concurrent(
  "takes a version back of a set whose pods are made in parallel",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5", { podManagementPolicy: "Parallel" });
    await openWindow(admin);
    await using server = await versionServer("v15.4.6-bad");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/reason=going-back/);
    const good = await goodPods(admin);
    await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6-bad\): agent-\d: its container runs and is not ready object=agent$/m);
    await decided(admin, "rejected");
    expect(await images(admin)).toBe("svc:15.4.5 svc:15.4.5 svc:15.4.5");
    expect(await goodPods(admin)).toEqual(expect.arrayContaining([...good]));
  }),
);

test.concurrent(
  "stays where no pod would be replaced, and moves, proves and takes back those from the partition on",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5", { updateStrategy: { type: "OnDelete" } });
    await openWindow(admin);
    await using server = await versionServer("v15.4.6");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/OnDelete: pods keep their image .*reason=not-rolling hint="set `updateStrategy\.type: RollingUpdate` in/);
    await changed(admin, { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 3 } } });
    await updater.said(/its partition 3 keeps all 3 replicas .*reason=not-rolling hint="set `\S+partition` below the number of/);
    expect(await seen(admin, "statefulset/agent", "{.spec.template.spec.containers[0].image}")).toBe("svc:15.4.5");

    const good = await goodPods(admin);
    await changed(admin, { updateStrategy: { rollingUpdate: { partition: 2 } } });
    const told = "upgraded (15.4.5 -> 15.4.6): the partition 2 leaves 2 of 3 pods as they were";
    await updater.said(new RegExp(`^${told.replaceAll(/[.()]/g, String.raw`\$&`)} object=agent$`, "m"));
    await decided(admin, "current");
    expect(await images(admin)).toBe("svc:15.4.5 svc:15.4.5 svc:15.4.6");
    expect(await seen(admin, "configmap/statefulset-agent-updater", "{.data.status}")).toContain(`\nlast move: ${told}, at `);
    expect(await seen(admin, "events.events.k8s.io", "{.items[*].note}")).toContain(told);

    await server.serves("v15.4.7-bad");
    await trigger(admin, "15.4.7");
    await updater.said(/^taken back \(15\.4\.6 -> 15\.4\.7-bad\): agent-2: its container runs and is not ready object=agent$/m);
    await decided(admin, "rejected");
    expect(await images(admin)).toBe("svc:15.4.5 svc:15.4.5 svc:15.4.6");
    expect((await goodPods(admin)).slice(0, 2)).toEqual(good.slice(0, 2));
  }),
);

test.concurrent(
  "goes back where a quota leaves no room for a pod, blames no version, and moves once there is room",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await admin(["create", "quota", "few", "--hard=pods=2"]);
    await admin(["wait", "--for=jsonpath={.status.hard.pods}=2", "quota/few", "--timeout=60s"]);
    await openWindow(admin);
    await using server = await versionServer("v15.4.6");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(
      /15\.4\.6 is taken back to 15\.4\.5: a pod is missing: it is not made or not admitted; .*reason=going-back/,
    );
    const good = await goodPods(admin);
    expect(good).toHaveLength(2);
    // With room for a pod before that the new version would go on.
    await admin([
      "wait",
      "--for=jsonpath={.spec.template.spec.containers[0].image}=svc:15.4.5",
      "statefulset/agent",
      "--timeout=60s",
    ]);
    await admin(["patch", "quota/few", "--patch", '{"spec":{"hard":{"pods":"10"}}}']);
    await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6\): a pod is missing: it is not made or not admitted object=agent$/m);
    await decided(admin, "backing-off");
    expect(await images(admin)).toBe("svc:15.4.5 svc:15.4.5 svc:15.4.5");
    expect(await goodPods(admin)).toEqual(expect.arrayContaining([...good]));
    expect((await recorded(admin)).rejected).toEqual([]);
    expect(await generation(admin)).toBe("3");
    await updater.command("run", "--now");
    await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\) object=agent$/m);
    expect(updater.log()).not.toMatch(/is deleted/);
  }),
);

test.concurrent(
  "goes back with a Deployment where a quota leaves no room for one pod more, and blames no version",
  inNamespace(deploymentRules, async (stage) => {
    const { admin } = stage;
    await deployed(admin, "svc:15.4.5");
    await admin(["create", "quota", "few", "--hard=pods=3"]);
    await admin(["wait", "--for=jsonpath={.status.hard.pods}=3", "quota/few", "--timeout=60s"]);
    await openWindow(admin);
    const good = await goodPods(admin);
    await using server = await versionServer("v15.4.6");
    await using updater = startUpdater(stage, server.url, quickDeployment);
    await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6\): a pod is missing: .*exceeded quota: few.* object=agent$/m);
    await decided(admin, "backing-off", "deployment-agent-updater");
    expect(await goodPods(admin)).toEqual(good);
    expect(await seen(admin, "configmap/deployment-agent-updater", "{.data.record}")).toContain('"rejected":[]');
  }),
);

for (const { ending, told, reason } of [
  { ending: "crash", told: "its container ends again and again", reason: "rejected" },
  { ending: "nopull", told: "its image cannot be pulled", reason: "backing-off" },
]) {
  test.concurrent(
    `goes back where ${told}: ${reason}`,
    inNamespace(updaterRules, async (stage) => {
      const { admin } = stage;
      await made(admin, "svc:15.4.5");
      await openWindow(admin);
      await using server = await versionServer(`v15.4.6-${ending}`);
      await using updater = startUpdater(stage, server.url, quick);
      await updater.said(new RegExp(`^taken back \\(15\\.4\\.5 -> 15\\.4\\.6-${ending}\\): agent-2: ${told} object=agent$`, "m"));
      await decided(admin, reason);
      expect(await images(admin)).toBe("svc:15.4.5 svc:15.4.5 svc:15.4.5");
      expect((await recorded(admin)).rejected).toHaveLength(reason === "rejected" ? 1 : 0);
    }),
  );
}

test.concurrent(
  "goes back where a pod finds no node, blames no version, and deletes the pod that waits for one",
  inNamespace(updaterRules, async (stage) => {
    const { admin, namespace } = stage;
    await admin(["label", "nodes", "--all", `${namespace}=here`]);
    const labels = { app: "agent" };
    const spec = { nodeSelector: { [namespace]: "here" }, containers: [{ name: "svc", image: "svc:15.4.5" }] };
    await made(admin, "svc:15.4.5", { template: { metadata: { labels }, spec } });
    await admin(["label", "nodes", "--all", `${namespace}-`]);
    await openWindow(admin);
    await using server = await versionServer("v15.4.6");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/^a stuck pod is deleted object=agent pod=agent-2$/m);
    const good = await goodPods(admin);
    await admin(["label", "nodes", "--all", `${namespace}=here`]);
    await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6\): agent-2: it finds no node object=agent$/m);
    await decided(admin, "backing-off");
    expect((await recorded(admin)).rejected).toEqual([]);
    expect(await images(admin)).toBe("svc:15.4.5 svc:15.4.5 svc:15.4.5");
    expect((await goodPods(admin)).slice(0, 2)).toEqual(good.slice(0, 2));
    await admin(["label", "nodes", "--all", `${namespace}-`]);
  }),
);

test.concurrent(
  "frees a set whose pod was ill before, and leaves a version that does not cure it for the next one",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await admin(["create", "--filename=-"], statefulSet({ name: "agent", image: "svc:15.4.5-crash", replicas: 2 }));
    // The next one is made once this one is ready.
    await admin(["wait", "--for=jsonpath={.status.updatedReplicas}=1", "statefulset/agent", "--timeout=20s"]);
    await using server = await versionServer("v15.4.6-crash");
    await using updater = startUpdater(stage, server.url, quick);
    await decided(admin, "schedule-missing");
    await updater.command("run", "--now");
    await updater.said(/^a stuck pod is deleted object=agent pod=agent-0$/m);
    await updater.said(/agent-0: its container ends again and again; it was unwell before.*reason=still-unhealthy/);
    await server.serves("v15.4.7");
    await updater.command("run", "--now");
    await updater.said(/^left unproven for another version \(15\.4\.5-crash -> 15\.4\.6-crash\): agent-0: .* object=agent$/m);
    await updater.said(/^upgraded \(15\.4\.6-crash -> 15\.4\.7\) object=agent$/m);
    expect(await images(admin)).toBe("svc:15.4.7 svc:15.4.7");
  }),
);

test.concurrent(
  "a restart and another number of replicas in the middle of a move stop neither its proof nor its way back",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await openWindow(admin);
    await using server = await versionServer("v15.4.6-bad");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/15\.4\.6-bad: the pods are being replaced/);
    await admin(["rollout", "restart", "statefulset/agent"]);
    await admin(["scale", "statefulset/agent", "--replicas=4"]);
    await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6-bad\): agent-2: its container runs and is not ready object=agent$/m);
    await decided(admin, "rejected");
    await admin(["rollout", "status", "statefulset/agent", "--timeout=60s"]);
    expect(await images(admin)).toBe("svc:15.4.5 svc:15.4.5 svc:15.4.5 svc:15.4.5");

    await server.serves("v15.4.7");
    await trigger(admin, "15.4.7");
    await updater.said(/15\.4\.7: the pods are being replaced/);
    await admin(["rollout", "restart", "statefulset/agent"]);
    await admin(["scale", "statefulset/agent", "--replicas=2"]);
    await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.7\) object=agent$/m);
    await decided(admin, "current");
    expect((await recorded(admin)).rejected).toMatchObject([{ served: "15.4.6-bad" }]);
    expect(await images(admin)).toBe("svc:15.4.7 svc:15.4.7");
  }),
);

test.concurrent(
  "waits and says so where somebody stops the rollout in the middle of a move, and judges the version only after it goes on",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await openWindow(admin);
    await using server = await versionServer("v15.4.6-bad");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/15\.4\.6-bad: the pods are being replaced/);
    await changed(admin, { updateStrategy: { type: "OnDelete", rollingUpdate: null } });
    await updater.said(/its update strategy is OnDelete: pods keep their image .*current=15\.4\.6-bad .*reason=not-rolling/);
    const good = await goodPods(admin);
    expect(good).toHaveLength(2);
    // Longer than it waits for progress.
    await sleep(6000);
    await trigger(admin, "again");
    await updater.said(/a look was asked for/);
    expect((await recorded(admin)).rejected).toEqual([]);
    await changed(admin, { updateStrategy: { type: "RollingUpdate" } });
    await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6-bad\): agent-2: its container runs and is not ready object=agent$/m);
    await decided(admin, "rejected");
    expect(await goodPods(admin)).toEqual(expect.arrayContaining([...good]));
    expect(await images(admin)).toBe("svc:15.4.5 svc:15.4.5 svc:15.4.5");
  }),
);

test.concurrent(
  "blames no version while the version server is away, and goes on with the move when it is back",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await openWindow(admin);
    await using server = await versionServer("v15.4.6-bad");
    await using way = await wayTo(server.url);
    await using updater = startUpdater(stage, way.url.replace("https", "http"), quick);
    await updater.said(/15\.4\.6-bad: the pods are being replaced/);
    await way.cut();
    await updater.said(/the version server is away, so the version is not to blame .*reason=still-unhealthy/);
    expect((await recorded(admin)).rejected).toEqual([]);
    expect(await goodPods(admin)).toHaveLength(2);
    await way.restore();
    await trigger(admin, "again");
    await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6-bad\): agent-2: its container runs and is not ready object=agent$/m);
    await decided(admin, "rejected");
  }),
);
