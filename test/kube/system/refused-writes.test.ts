import { expect, test } from "vitest";
import { inNamespace } from "../lab/namespace.ts";
import { generation, goodPods, images, made, openWindow, quick, recorded } from "../lab/moves.ts";
import { refusing } from "../lab/policy.ts";
import { decided, seen, startUpdater, trigger, updaterRules, versionServer } from "../lab/updater.ts";

/** What the API server does not let the updater do. */

test.concurrent(
  "waits where a policy refuses an image, in the policy's words, and takes the next one",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await openWindow(admin);
    await using _ = await refusing(stage, { ending: ":15.4.6", told: "15.4.6 is not approved here" });
    await using server = await versionServer("v15.4.6");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/after a failure: a policy refuses the image: .*15\.4\.6 is not approved here.* reason=backing-off/);
    expect(await generation(admin)).toBe("1");
    expect((await recorded(admin)).rejected).toEqual([]);
    await server.serves("v15.4.7");
    await trigger(admin, "15.4.7");
    await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.7\) object=agent$/m);
  }),
);

test.concurrent(
  "tells what refuses the way back, deletes no pod meanwhile, and goes back once it may",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await openWindow(admin);
    await using server = await versionServer("v15.4.6-bad");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/the pods are being replaced/);
    {
      await using _ = await refusing(stage, { ending: ":15.4.5", told: "15.4.5 has a known fault" });
      await updater.said(
        /the image is about to be put back; the last try: a policy refuses the image: .*15\.4\.5 has a known fault/,
      );
      const told = await seen(admin, "configmap/statefulset-agent-updater", "{.data.status}");
      expect(told).toMatch(
        /^decision: stay: 15\.4\.6-bad is taken back to 15\.4\.5: agent-2: .* has a known fault.*\nreason: going-back$/m,
      );
      expect(await generation(admin)).toBe("2");
    }
    const good = await goodPods(admin);
    expect(good).toHaveLength(2);
    await trigger(admin, "again");
    await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6-bad\): agent-2: its container runs and is not ready object=agent$/m);
    await decided(admin, "rejected");
    expect(await images(admin)).toBe("svc:15.4.5 svc:15.4.5 svc:15.4.5");
    expect(await goodPods(admin)).toEqual(expect.arrayContaining([...good]));
    expect((await recorded(admin)).rejected).toMatchObject([{ served: "15.4.6-bad" }]);
  }),
);
