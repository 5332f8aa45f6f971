import { expect, test } from "vitest";
import type { Kubectl } from "../lab/kubectl.ts";
import { generation, goodPods, images, made, openWindow, quick, recorded } from "../lab/moves.ts";
import { inNamespace } from "../lab/namespace.ts";
import { statefulSet } from "../lab/stateful-set.ts";
import { decided, seen, startUpdater, updaterRules, versionServer } from "../lab/updater.ts";

/** The object or its record is not there any more in the middle of a move. */

const record = "configmap/statefulset-agent-updater";

function merge(admin: Kubectl, patch: object): Promise<string> {
  return admin(["patch", record, "--type=merge", `--patch=${JSON.stringify(patch)}`]);
}

test.concurrent(
  "writes a record again that is wiped in the middle of a move, and goes on with it",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await openWindow(admin);
    await using server = await versionServer("v15.4.6-bad");
    await using updater = startUpdater(stage, server.url, quick);
    for (const [index, words] of [/the pods are being replaced/, /the image is put back/].entries()) {
      await updater.said(words);
      await merge(admin, { data: null });
      await updater.said(new RegExp(`(?:the record was wiped, and is written again[^]*){${index + 1}}`));
    }
    const good = await goodPods(admin);
    await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6-bad\)/m);
    await decided(admin, "rejected");
    expect(await images(admin)).toBe("svc:15.4.5 svc:15.4.5 svc:15.4.5");
    expect(await goodPods(admin)).toEqual(expect.arrayContaining([...good]));
    expect((await recorded(admin)).rejected).toMatchObject([{ served: "15.4.6-bad" }]);
    expect(await generation(admin)).toBe("3");
  }),
);

test.concurrent(
  "writes and tells no more than it looks where an annotation is set and removed again and again",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await admin(["create", "--filename=-"], statefulSet({ name: "agent", image: "svc:15.4.5", replicas: 0 }));
    await using server = await versionServer("v15.4.6");
    const gatherSeconds = 3;
    await using _ = startUpdater(stage, server.url, (text) => text.replace("gather: 1s", `gather: ${gatherSeconds}s`));
    await decided(admin, "schedule-missing");
    const before = await recorded(admin);
    const begunMs = performance.now();
    for (let time = 0; time < 20; time += 1) {
      await admin(["annotate", "statefulset/agent", "svc.dev/skipreconcile=true"]);
      if (time < 19) await admin(["annotate", "statefulset/agent", "svc.dev/skipreconcile-"]);
    }
    await decided(admin, "suspended");
    const looks = (performance.now() - begunMs) / 1000 / gatherSeconds;
    expect((await recorded(admin)).turn - before.turn).toBeLessThanOrEqual(looks + 1);
    // The same words are the same Event, however often.
    const events = await seen(admin, "events.events.k8s.io", "{.items[*].reason}");
    expect(events.split(" ").toSorted()).toEqual(["ScheduleMissing", "Suspended"]);
  }),
);
