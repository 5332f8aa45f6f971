import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../system/lab/until.ts";
import { startControlPlane, type ControlPlane } from "../lab/control-plane.ts";
import type { Kubectl } from "../lab/kubectl.ts";
import { generation, goodPods, images, made, openWindow, quick, recorded } from "../lab/moves.ts";
import { inLab, inNamespaceOf, type LabTest, type Stage } from "../lab/namespace.ts";
import { missingForLab, programsFolder } from "../lab/programs.ts";
import { decided, givenBack, longestMs, startUpdater, trigger, updaterRules, versionServer } from "../lab/updater.ts";

/** What concerns a control plane as a whole, on one of its own: a feature gate is on, and its API server stands still for a while. */

const gates = ["--feature-gates=MaxUnavailableStatefulSet=true"];
let plane: ControlPlane | undefined;

beforeAll(async () => {
  if ((await missingForLab()) !== undefined) return;
  plane = await startControlPlane(await programsFolder(), { "kube-apiserver": gates, "kube-controller-manager": gates });
}, 120_000);

afterAll(() => plane?.stop());

function inOwnPlane(play: (stage: Stage, own: ControlPlane) => Promise<void>): LabTest {
  return inLab(async () => {
    const own = plane;
    if (own !== undefined) await inNamespaceOf(own, updaterRules, (stage) => play(stage, own));
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

/** What keeps the last pod from ending: the move is in its middle for as long. */
async function held(admin: Kubectl, finalizers: readonly string[] | null): Promise<void> {
  await admin(["patch", "pod/agent-2", "--type=merge", `--patch=${JSON.stringify({ metadata: { finalizers } })}`]);
}

for (const served of ["15.4.6", "15.4.6-bad"]) {
  test(
    `an API server that stands still for longer than the deadline holds up the move to ${served}, and nothing else`,
    inOwnPlane(async (stage, own) => {
      const { admin } = stage;
      await made(admin, "svc:15.4.5");
      await held(admin, ["example.com/held"]);
      await openWindow(admin);
      const good = await goodPods(admin);
      await using server = await versionServer(`v${served}`);
      await using updater = startUpdater(stage, server.url, quick);
      await updater.said(/the pods are being replaced/);
      await admin(["wait", "--for=jsonpath={.metadata.deletionTimestamp}", "pod/agent-2", "--timeout=60s"]);
      own.signal("kube-apiserver", "SIGSTOP");
      // Longer than any pod is waited for.
      await sleep(15_000);
      own.signal("kube-apiserver", "SIGCONT");
      await held(admin, null);
      // A record that could not be written is tried again after a minute.
      await until("the move is over", 60_000 + longestMs, () =>
        /^(?:upgraded|taken back) /m.test(updater.log()) ? true : undefined,
      );
      if (served === "15.4.6") {
        await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\) object=agent$/m);
        await decided(admin, "current");
        expect(updater.log()).not.toMatch(/is taken back|is deleted/);
        expect(await images(admin)).toBe("svc:15.4.6 svc:15.4.6 svc:15.4.6");
      } else {
        await updater.said(
          /^taken back \(15\.4\.5 -> 15\.4\.6-bad\): agent-2: its container runs and is not ready object=agent$/m,
        );
        await decided(admin, "rejected");
        expect(await images(admin)).toBe("svc:15.4.5 svc:15.4.5 svc:15.4.5");
        expect((await goodPods(admin)).slice(0, 2)).toEqual(good.slice(0, 2));
      }
      expect((await recorded(admin)).rejected).toHaveLength(served === "15.4.6" ? 0 : 1);
      await givenBack(admin);
      expect(await generation(admin)).toBe(served === "15.4.6" ? "2" : "3");
    }),
    240_000,
  );
}
