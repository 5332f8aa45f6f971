import { expect, test } from "vitest";
import { parse } from "yaml";
import { excerpt } from "../../documents.ts";
import { inNamespace, type Rule } from "../lab/namespace.ts";
import { statefulSet } from "../lab/stateful-set.ts";
import { decided, schedule, seen, startUpdater, trigger, updaterRules, versionServer } from "../lab/updater.ts";

/** Several updaters with one Lease: one of them acts. */

const rules: readonly Rule[] = [...updaterRules, ...(parse(excerpt("kube-lease-role")) as readonly Rule[])];

const settingsWith =
  (lease: string) =>
  (text: string): string => {
    const deadlines = `deadlines: {ask: 1s, gather: 1s, health: 30s, settle: 2s, lease: ${lease}}`;
    return `${text.replace(/^deadlines: .*$/m, deadlines)}lease: agent-updater\n`;
  };
const settings = settingsWith("9s");
/** As the chart makes it. */
const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "agent-updater" } };

const holds = /^this updater leads lease=agent-updater/m;
const waits = /^another updater leads, and this one waits lease=agent-updater/m;

test.concurrent(
  "one of two leads; where it is frozen in mid-move the other ends the move, and where that one ends it hands over",
  inNamespace(rules, async (stage) => {
    const { admin } = stage;
    await admin(["create", "--filename=-"], statefulSet({ name: "agent", image: "svc:15.4.5" }), lease);
    await admin(["wait", "--for=jsonpath={.status.availableReplicas}=3", "statefulset/agent", "--timeout=20s"]);
    await using server = await versionServer("v15.4.6");
    await using first = startUpdater(stage, server.url, settings);
    await first.said(/^this updater leads lease=agent-updater before=nobody$/m);
    await using second = startUpdater(stage, server.url, settings);
    await second.said(waits);
    await decided(admin, "schedule-missing");

    const hour = 3_600_000;
    await schedule(admin, new Date(Date.now() - 60_000).toISOString(), new Date(Date.now() + hour).toISOString());
    await first.said(/all pods run it and are ready, and have to stay so/);
    first.signal("SIGSTOP");
    expect(second.log()).not.toMatch(holds);
    await second.said(/^this updater leads lease=agent-updater before="\S+, which has not renewed it for 9 seconds"$/m);
    await second.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\) object=agent$/m);
    first.signal("SIGCONT");
    await first.said(/^this updater no longer leads lease=agent-updater/m);
    await decided(admin, "current");

    await second.ended("SIGTERM");
    await first.said(
      /^this updater leads lease=agent-updater before=nobody\n[^]*^this updater leads lease=agent-updater before=nobody$/m,
    );
    await server.serves("v15.4.7");
    await trigger(admin, "newer");
    await first.said(/^upgraded \(15\.4\.6 -> 15\.4\.7\) object=agent$/m);
    expect(first.log()).not.toContain("upgraded (15.4.5 -> 15.4.6)");
    // One patch for each move.
    expect(await seen(admin, "statefulset/agent", "{.metadata.generation}")).toBe("3");
  }),
  120_000,
);

for (const verb of ["list", "watch", "create", "patch"]) {
  const without = rules.map((rule) =>
    rule.resources.includes("leases") ? { ...rule, verbs: rule.verbs.filter((one) => one !== verb) } : rule,
  );
  test.concurrent(
    `says that it may not ${verb} the Lease`,
    inNamespace(without, async (stage) => {
      await using server = await versionServer("v15.4.5");
      await using updater = startUpdater(stage, server.url, settingsWith("2s"));
      await updater.said(
        /^the Lease cannot be had lease=agent-updater why=".*cannot (\S+) .*" hint="give the service account list, watch, create and patch on it"$/m,
      );
      expect(/cannot be had .* cannot (\S+) resource/.exec(updater.log())?.[1]).toBe(verb);
    }),
    60_000,
  );
}
