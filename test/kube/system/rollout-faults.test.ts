import { expect, test } from "vitest";
import { inNamespace } from "../lab/namespace.ts";
import { changed, deployed, goodPods, images, made, openWindow, quick, quickDeployment } from "../lab/moves.ts";
import { statefulSet } from "../lab/stateful-set.ts";
import { decided, deploymentRules, seen, startUpdater, trigger, updaterRules, versionServer } from "../lab/updater.ts";

/** Rollouts that cannot be what they are by default. */

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
