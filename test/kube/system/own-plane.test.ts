import { afterAll, beforeAll, expect, test } from "vitest";
import { startControlPlane, type ControlPlane } from "../lab/control-plane.ts";
import { goodPods, images, made, openWindow, quick } from "../lab/moves.ts";
import { inLab, inNamespaceOf, type LabTest, type Stage } from "../lab/namespace.ts";
import { missingForLab, programsFolder } from "../lab/programs.ts";
import { decided, startUpdater, trigger, updaterRules, versionServer } from "../lab/updater.ts";

/** What concerns a control plane as a whole, on one of its own: a feature gate is on. */

const gates = ["--feature-gates=MaxUnavailableStatefulSet=true"];
let plane: ControlPlane | undefined;

beforeAll(async () => {
  if ((await missingForLab()) !== undefined) return;
  plane = await startControlPlane(await programsFolder(), { "kube-apiserver": gates, "kube-controller-manager": gates });
}, 120_000);

afterAll(() => plane?.stop());

function inOwnPlane(play: (stage: Stage) => Promise<void>): LabTest {
  return inLab(async () => {
    if (plane !== undefined) await inNamespaceOf(plane, updaterRules, play);
  });
}

test(
  "with MaxUnavailableStatefulSet on, a set of parallel pods is proven, taken back, and keeps its good pods",
  inOwnPlane(async (stage) => {
    const { admin } = stage;
    const updateStrategy = { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 2 } };
    await made(admin, "svc:15.4.5", { podManagementPolicy: "Parallel", updateStrategy });
    await openWindow(admin);
    await using server = await versionServer("v15.4.6");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\) object=agent$/m);
    await decided(admin, "current");
    expect(await images(admin)).toBe("svc:15.4.6 svc:15.4.6 svc:15.4.6");

    await server.serves("v15.4.7-bad");
    await trigger(admin, "15.4.7");
    await updater.said(/15\.4\.7-bad is taken back to 15\.4\.6: .*reason=going-back/);
    // Two at once: the gate is on.
    const good = await goodPods(admin);
    expect(good).toHaveLength(1);
    await updater.said(/^taken back \(15\.4\.6 -> 15\.4\.7-bad\): agent-\d: its container runs and is not ready object=agent$/m);
    await decided(admin, "rejected");
    expect(await images(admin)).toBe("svc:15.4.6 svc:15.4.6 svc:15.4.6");
    expect(await goodPods(admin)).toEqual(expect.arrayContaining([...good]));
  }),
);
