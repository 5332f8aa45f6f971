import { expect, test } from "vitest";
import { kubeUpdater } from "../../../packaging/products/kube-updater.ts";
import { complaints } from "../../updater/cli/documented.ts";
import { until } from "../../system/lab/until.ts";
import { inNamespace } from "../lab/namespace.ts";
import { statefulSet } from "../lab/stateful-set.ts";
import { decided, longestMs, seen, startUpdater, updaterRules, versionServer } from "../lab/updater.ts";

const fast = "deadlines: {ask: 1s, gather: 1s, health: 4s, settle: 1s, free: 1s}";

test(
  "people see why it stays, what it would do, have it done, take it back and forgive it, with the updater's own rights",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await admin(["create", "--filename=-"], statefulSet({ name: "agent", image: "svc:15.4.5" }));
    await admin(["wait", "--for=jsonpath={.status.availableReplicas}=3", "statefulset/agent", "--timeout=20s"]);
    await using server = await versionServer("v15.4.6");
    await using updater = startUpdater(stage, server.url, (text) => text.replace(/^deadlines: .*$/m, fast));
    await decided(admin, "schedule-missing");
    const versions = (): Promise<string> =>
      admin([
        "get",
        "statefulset/agent",
        "configmap/statefulset-agent-updater",
        "--output=jsonpath={.items[*].metadata.resourceVersion}",
      ]);
    const before = await versions();

    const status = await updater.command("status");
    expect(status).toMatchObject({ status: 0, stderr: "" });
    expect(status.stdout).toMatch(/^decision: stay: no valid schedule: there is no Secret release-shared-state$/m);
    expect(status.stdout).toMatch(/^image: svc:15\.4\.5\npods: 3 of 3 ready, 3 run the newest template$/m);

    expect(await updater.command("dry-run", "--exit-code")).toEqual({
      status: 100,
      stdout: "an upgrade is available (15.4.5 -> 15.4.6)\n",
      stderr: expect.stringMatching(
        /^an upgrade is available \(15\.4\.5 -> 15\.4\.6\), not now: no valid schedule: .*; lifted by: /,
      ),
    });
    const dry = JSON.parse((await updater.command("dry-run", "--json")).stdout) as object;
    expect(complaints("dry-run", dry, kubeUpdater)).toEqual([]);
    expect(dry).toMatchObject({
      objects: [{ installed: "15.4.5", served: "15.4.6", available: true, decision: { why: "schedule-missing" } }],
    });
    expect(await updater.command("rollback")).toMatchObject({
      status: 69,
      stderr: expect.stringMatching(/nothing was moved here yet/),
    });
    expect(await versions()).toBe(before);

    // However far the updater has come by then.
    const run = await updater.command("run", "--now");
    expect(run).toMatchObject({ status: 0, stderr: "" });
    expect(run.stdout).toMatch(/15\.4\.5 -> 15\.4\.6|15\.4\.6 == 15\.4\.6/);
    await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\) object=agent$/m);

    const back = await updater.command("rollback");
    expect(back).toMatchObject({ status: 0, stderr: "" });
    expect(back.stdout).toMatch(/15\.4\.6.*: svc\.dev\/rollback asks for it/);
    await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6\)/m);
    await decided(admin, "rejected");
    const told = JSON.parse((await updater.command("status", "--json")).stdout) as object;
    expect(complaints("status", told, kubeUpdater)).toEqual([]);
    expect(told).toMatchObject({
      objects: [{ decision: { why: "rejected" }, rejected: [{ version: "15.4.6", why: "svc.dev/rollback asks for it" }] }],
    });

    expect(await updater.command("retry", "15.4.9")).toMatchObject({
      status: 64,
      stderr: expect.stringMatching(/15\.4\.9 is not rejected here; rejected: 15\.4\.6; `svc-kube-updater retry 15\.4\.6`/),
    });
    const retry = await updater.command("retry", "15.4.6");
    expect(retry.stdout).toMatch(
      /^cleared: 15\.4\.6 was rejected: svc\.dev\/rollback asks for it; an upgrade is available .*, not now: no valid schedule/,
    );
    expect(await seen(admin, "statefulset/agent", "{.spec.template.spec.containers[0].image}")).toBe("svc:15.4.5");

    await admin(["delete", "rolebinding/account"]);
    await until("the right is gone", longestMs, async () => {
      const { status: ended, stderr } = await updater.command("status");
      return ended === 77 && /cannot be seen: .*forbidden.*; give the service account list and watch on it/.test(stderr)
        ? true
        : undefined;
    });
  }),
);
