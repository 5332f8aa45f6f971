import { expect, test } from "vitest";
import type { Kubectl } from "../lab/kubectl.ts";
import { inNamespace } from "../lab/namespace.ts";
import { statefulSet } from "../lab/stateful-set.ts";
import { openWindow, quick } from "../lab/moves.ts";
import { decided, seen, startUpdater, trigger, updaterRules, versionServer } from "../lab/updater.ts";

/** A person's rollback is left, and a tool's is not, by what the API server notes of each. */

async function rolledOut(admin: Kubectl): Promise<void> {
  await admin(["rollout", "status", "statefulset/agent", "--timeout=20s"]);
}

const image = (admin: Kubectl): Promise<string> => seen(admin, "statefulset/agent", "{.spec.template.spec.containers[0].image}");

for (const [what, words, manager] of [
  ["rollout undo", ["rollout", "undo", "statefulset/agent"], "kubectl"],
  [
    "edit",
    ["patch", "statefulset/agent", "--type=json", `--patch=${patchTo("svc:15.4.5")}`, "--field-manager=kubectl-edit"],
    "kubectl-edit",
  ],
] as const) {
  test.concurrent(
    `kubectl ${what} is a person's: it holds until a newer version is served`,
    inNamespace(updaterRules, async (stage) => {
      const { admin } = stage;
      await admin(["create", "--filename=-"], statefulSet({ name: "agent", image: "svc:15.4.5" }));
      await rolledOut(admin);
      await openWindow(admin);
      await using server = await versionServer("v15.4.6");
      await using updater = startUpdater(stage, server.url, quick);
      await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\)/m);
      await admin(words);
      const told = new RegExp(
        `the image was set to svc:15\\.4\\.5 after 15\\.4\\.6 was proven by ${manager} at .* reason=set-back`,
      );
      await updater.said(told);
      await rolledOut(admin);
      await decided(admin, "set-back");
      expect(await image(admin)).toBe("svc:15.4.5");
      await server.serves("v15.4.7");
      await trigger(admin, "newer");
      await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.7\)/m);
    }),
  );
}

test.concurrent(
  "kubectl apply is a tool's: it is told, moved again twice, and left to the tool until it is retried",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    const apply = (): Promise<string> => admin(["apply", "--filename=-"], statefulSet({ name: "agent", image: "svc:15.4.5" }));
    await apply();
    await rolledOut(admin);
    await openWindow(admin);
    await using server = await versionServer("v15.4.6");
    await using updater = startUpdater(stage, server.url, quick);
    for (const time of [1, 2, 3]) {
      const moved = Array.from({ length: time }, () => String.raw`^upgraded \(15\.4\.5 -> 15\.4\.6\)[^]*`).join("");
      await updater.said(new RegExp(moved, "m"));
      await decided(admin, "current");
      await apply();
      const reset = Array.from(
        { length: time },
        () =>
          String.raw`a tool has undone the move \(15\.4\.5 -> 15\.4\.6\): svc:15\.4\.5 was set by kubectl-client-side-apply[^]*`,
      );
      await updater.said(new RegExp(reset.join("")));
    }
    await rolledOut(admin);
    await decided(admin, "gitops");
    expect(await image(admin)).toBe("svc:15.4.5");
    const events = await seen(admin, "events.events.k8s.io", "{.items[*].note}");
    expect(events).toMatch(
      /a tool has undone the move \(15\.4\.5 -> 15\.4\.6\): svc:15\.4\.5 was set by kubectl-client-side-apply at /,
    );
    await updater.command("retry");
    await decided(admin, "current");
    expect(await image(admin)).toBe("svc:15.4.6");
  }),
);

test.concurrent(
  "a rejected version that a tool sets again is taken back at once, twice",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    const apply = (tag: string): Promise<string> =>
      admin(["apply", "--filename=-"], statefulSet({ name: "agent", image: `svc:${tag}` }));
    await apply("15.4.5");
    await rolledOut(admin);
    await openWindow(admin);
    await using server = await versionServer("v15.4.6-bad");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6-bad\): agent-2: /m);
    await decided(admin, "rejected");
    // Nothing waits for a window.
    await admin(["delete", "secret/release-shared-state"]);
    for (const time of [1, 2]) {
      await apply("15.4.6-bad");
      const back = Array.from(
        { length: time },
        () =>
          String.raw`^taken back .*: svc:15\.4\.6-bad was set by kubectl-client-side-apply at \S+, which was rejected here[^]*`,
      );
      await updater.said(new RegExp(back.join(""), "m"));
      await decided(admin, "rejected");
      expect(await image(admin)).toBe("svc:15.4.5");
    }
    await apply("15.4.6-bad");
    await decided(admin, "gitops");
    expect(await image(admin)).toBe("svc:15.4.6-bad");
  }),
);

test.concurrent(
  "a record that is wiped is written again; wiped while nobody runs, the loss is known by its turn, and needs a person",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await admin(["create", "--filename=-"], statefulSet({ name: "agent", image: "svc:15.4.5" }));
    await rolledOut(admin);
    await openWindow(admin);
    await using server = await versionServer("v15.4.6");
    const record = "configmap/statefulset-agent-updater";
    // As `helm upgrade --force` leaves it.
    const wipe = async (): Promise<void> => {
      await admin(["annotate", "--overwrite", record, "svc.dev/turn=9"]);
      await admin(["patch", record, "--type=json", '--patch=[{"op":"remove","path":"/data"}]']);
    };
    {
      await using updater = startUpdater(stage, server.url, quick);
      await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\)/m);
      await decided(admin, "current");
      await wipe();
      await updater.said(/^the record was wiped, and is written again object=agent$/m);
      await decided(admin, "current");
      expect(await seen(admin, record, "{.data.record}")).toContain('"outcome":"proven"');
    }
    await wipe();
    await server.serves("v15.4.7");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/cannot be read: it was written 9 times, and is wiped .*reason=needs-operator/);
    expect(await image(admin)).toBe("svc:15.4.6");
    await decided(admin, "needs-operator");
    expect(await seen(admin, record, "{.data.record}")).toBe("");
    const [, patch = ""] = / -p '(.*?)'/.exec((await updater.command("run", "--now")).stderr) ?? [];
    await admin(["patch", record, "--type=merge", `--patch=${patch}`]);
    await updater.said(/^upgraded \(15\.4\.6 -> 15\.4\.7\)/m);
  }),
);

function patchTo(to: string): string {
  return JSON.stringify([{ op: "replace", path: "/spec/template/spec/containers/0/image", value: to }]);
}
