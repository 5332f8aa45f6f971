import { expect, test } from "vitest";
import { parse } from "yaml";
import { excerpt } from "../../documents.ts";
import { inNamespace, type Rule } from "../lab/namespace.ts";
import { statefulSet } from "../lab/stateful-set.ts";
import { decided, schedule, seen, startUpdater, trigger, updaterRules, versionServer } from "../lab/updater.ts";

/** Several updaters with one Lease: one of them acts. */

const rules: readonly Rule[] = [...updaterRules, ...(parse(excerpt("kube-lease-role")) as readonly Rule[])];

function settings(text: string): string {
  const deadlines = "deadlines: {ask: 1s, gather: 1s, health: 30s, settle: 2s, lease: 6s}";
  return `${text.replace(/^deadlines: .*$/m, deadlines)}lease: agent-updater\n`;
}

const holds = /^this updater leads lease=agent-updater/m;
const waits = /^another updater leads, and this one waits lease=agent-updater/m;

test.concurrent(
  "one of two leads; where it is frozen in mid-move the other ends the move, and where that one ends it hands over",
  inNamespace(rules, async (stage) => {
    const { admin } = stage;
    await admin(["create", "--filename=-"], statefulSet({ name: "agent", image: "svc:15.4.5" }));
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
    await second.said(/^this updater leads lease=agent-updater before="\S+, which has not renewed it for 6 seconds"$/m);
    await second.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\) object=agent$/m);
    first.signal("SIGCONT");
    await first.said(/^this updater leads no more lease=agent-updater/m);
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
