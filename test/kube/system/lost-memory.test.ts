import { expect, test } from "vitest";
import type { Kubectl } from "../lab/kubectl.ts";
import { generation, goodPods, images, made, openWindow, quick, recorded } from "../lab/moves.ts";
import { inNamespace } from "../lab/namespace.ts";
import { statefulSet } from "../lab/stateful-set.ts";
import { decided, seen, startUpdater, trigger, updaterRules, versionServer } from "../lab/updater.ts";

/** The object or its record is not there any more in the middle of a move. */

const record = "configmap/statefulset-agent-updater";

function merge(admin: Kubectl, patch: object): Promise<string> {
  return admin(["patch", record, "--type=merge", `--patch=${JSON.stringify(patch)}`]);
}

test.concurrent(
  "drops the move of an object that is deleted and made anew, and keeps what was rejected",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await openWindow(admin);
    await using server = await versionServer("v15.4.6-bad");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/^taken back /m);
    await decided(admin, "rejected");
    await server.serves("v15.4.7-bad");
    await trigger(admin, "15.4.7");
    await updater.said(/15\.4\.5 -> 15\.4\.7-bad: the pods are being replaced/);
    await admin(["delete", "secret/release-shared-state"]);
    await admin(["delete", "statefulset/agent"]);
    await decided(admin, "object-absent");
    await admin(["wait", "--for=delete", "pod", "--all", "--timeout=60s"]);
    await made(admin, "svc:15.4.5");
    await decided(admin, "schedule-missing");
    const { move, rejected } = await recorded(admin);
    expect([move ?? undefined, rejected]).toMatchObject([undefined, [{ served: "15.4.6-bad" }]]);
    expect(await generation(admin)).toBe("1");
    await server.serves("v15.4.6-bad");
    await trigger(admin, "15.4.6");
    await decided(admin, "rejected");
    expect(updater.log()).not.toMatch(/level=error|taken back \(15\.4\.5 -> 15\.4\.7/);
  }),
);

test.concurrent(
  "leaves a record alone that somebody spoils in the middle of a move, touches nothing, and says who is needed",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await openWindow(admin);
    await using server = await versionServer("v15.4.6-bad");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/the pods are being replaced/);
    await merge(admin, { data: { record: '{"schema":1,"turn":"x"' } });
    await updater.said(
      /the record of earlier looks cannot be read: .*reason=needs-operator hint="remove the record: `kubectl -n /,
    );
    await trigger(admin, "again");
    await updater.said(/a look was asked for/);
    expect(await seen(admin, record, "{.data.record}")).toBe('{"schema":1,"turn":"x"');
    expect([await generation(admin), (await goodPods(admin)).length]).toEqual(["2", 2]);
    // What the hint says.
    const [, patch = ""] = / -p '(.*?)'/.exec(await seen(admin, record, "{.data.status}")) ?? [];
    await admin(["patch", record, "--type=merge", `--patch=${patch}`]);
    await decided(admin, "current");
    expect(await generation(admin)).toBe("2");
    expect(updater.log()).not.toMatch(/is deleted/);
  }),
);

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
