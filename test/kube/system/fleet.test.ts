import { expect, test } from "vitest";
import type { Kubectl } from "../lab/kubectl.ts";
import { inNamespace, type Rule } from "../lab/namespace.ts";
import { statefulSet } from "../lab/stateful-set.ts";
import { decided, schedule, seen, startUpdater, trigger, updaterRules, versionServer, type Updater } from "../lab/updater.ts";

/** One updater, several objects: one goes first. */

const names = ["canary", "agent", "relay"] as const;
const references = ["statefulset/canary", "statefulset/agent", "deployment/relay"] as const;
const records = ["statefulset-canary-updater", "statefulset-agent-updater", "deployment-relay-updater"] as const;

/** The rights that the document names, for each of the objects. */
const rules: readonly Rule[] = [
  ...updaterRules.flatMap((rule) => {
    if (rule.resources.includes("statefulsets")) {
      return [
        { ...rule, resourceNames: ["canary", "agent"] },
        { ...rule, resources: ["deployments"], resourceNames: ["relay"] },
      ];
    }
    return rule.resources.includes("configmaps") ? [{ ...rule, resourceNames: records }] : [rule];
  }),
  { apiGroups: ["apps"], resources: ["replicasets"], verbs: ["list", "watch"] },
];

function settings(text: string): string {
  const objects = names.map((name) => ({ kind: name === "relay" ? "Deployment" : "StatefulSet", name, container: "svc" }));
  const namespace = /namespace: ([a-z0-9-]+)/.exec(text)?.[1];
  const listed = objects.map((object) => ({ ...object, namespace }));
  return text
    .replace(/^object: .*$/m, `objects: ${JSON.stringify(listed)}`)
    .replace(/^deadlines: .*$/m, "deadlines: {ask: 1s, gather: 1s, health: 4s, settle: 2s, free: 1s}");
}

async function made(admin: Kubectl): Promise<void> {
  const sets = names.map((name) => statefulSet({ name, image: "svc:15.4.5", replicas: 2 }) as Workload);
  const objects = sets.map((set) => {
    if (set.metadata.name !== "relay") return set;
    const { serviceName: _, ...spec } = set.spec;
    return { ...set, kind: "Deployment", spec };
  });
  await admin(["create", "--filename=-"], ...objects);
  for (const reference of references) {
    await admin(["wait", "--for=jsonpath={.status.availableReplicas}=2", reference, "--timeout=20s"]);
  }
}

type Workload = { readonly metadata: { readonly name: string }; readonly spec: { readonly serviceName?: string } };

async function openWindow(admin: Kubectl): Promise<void> {
  await schedule(admin, new Date(Date.now() - 60_000).toISOString(), new Date(Date.now() + 3_600_000).toISOString());
}

async function images(admin: Kubectl): Promise<readonly string[]> {
  const path = "{.spec.template.spec.containers[0].image}";
  return Promise.all(references.map((reference) => seen(admin, reference, path)));
}

/** One after the other. */
async function allUpgraded(updater: Updater): Promise<void> {
  for (const name of names) await updater.said(new RegExp(`^upgraded \\(15\\.4\\.5 -> 15\\.4\\.6\\) object=${name}$`, "m"));
}

test.concurrent(
  "one object moves first while the others wait, over a restart too, and then they go one by one",
  inNamespace(rules, async (stage) => {
    const { admin } = stage;
    await made(admin);
    await using server = await versionServer("v15.4.6");
    await openWindow(admin);
    {
      await using first = startUpdater(stage, server.url, settings);
      await first.said(/the pods are being replaced .*object=canary/);
      // In the middle of its move, until somebody lets it go on.
      await admin(["annotate", "statefulset/canary", "svc.dev/skipreconcile=true"]);
      await decided(admin, "suspended", records[0]);
      for (const record of records.slice(1)) await decided(admin, "queued", record);
      await first.ended("SIGKILL");
    }
    await using updater = startUpdater(stage, server.url, settings);
    await updater.said(
      /^another object goes first: statefulset\/canary is in the middle of a move object=relay .*reason=queued/m,
    );
    expect(await images(admin)).toEqual(["svc:15.4.6", "svc:15.4.5", "svc:15.4.5"]);
    await admin(["annotate", "statefulset/canary", "svc.dev/skipreconcile-"]);
    await allUpgraded(updater);
    for (const record of records) await decided(admin, "current", record);
    expect(await images(admin)).toEqual(["svc:15.4.6", "svc:15.4.6", "svc:15.4.6"]);
    const log = updater.log();
    const order = [...log.matchAll(/^(?:upgraded|an upgrade is available) .* object=(\w+)/gm)].map(([, name]) => name);
    expect(order).toEqual(["canary", "agent", "agent", "relay", "relay"]);
    expect(log).toMatch(/^as many objects as may move together do: statefulset\/agent \(1 of 3\) object=relay /m);
  }),
);

test.concurrent(
  "what the first object rejects is never tried at the others, and people see and ask for each by its name",
  inNamespace(rules, async (stage) => {
    const { admin } = stage;
    await made(admin);
    await using server = await versionServer("v15.4.6-bad");
    await openWindow(admin);
    await using updater = startUpdater(stage, server.url, settings);
    await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6-bad\): canary-1: .* object=canary$/m);
    for (const record of records) await decided(admin, "rejected", record);
    expect(await images(admin)).toEqual(["svc:15.4.5", "svc:15.4.5", "svc:15.4.5"]);
    const generations = await Promise.all(references.map((reference) => seen(admin, reference, "{.metadata.generation}")));
    expect(generations).toEqual(["3", "1", "1"]);

    const status = await updater.command("status", "relay");
    expect(status.stdout).toMatch(
      /^object: deployment\/relay, .*\n(?:.*\n)*decision: stay: svc:15\.4\.6-bad was rejected at statefulset\/canary on /,
    );
    const { objects } = JSON.parse((await updater.command("status", "--json")).stdout) as { readonly objects: readonly object[] };
    expect(objects).toMatchObject(references.map((object) => ({ object, decision: { why: "rejected" } })));
    expect(await updater.command("rollback")).toMatchObject({
      status: 64,
      stderr: expect.stringMatching(/it follows statefulset\/canary, statefulset\/agent, deployment\/relay; type one of them/),
    });

    await server.serves("v15.4.6");
    await trigger(admin, "newer", "statefulset/canary");
    await allUpgraded(updater);
    const dry = await updater.command("dry-run", "statefulset/agent");
    expect(dry).toMatchObject({ status: 0, stdout: "no upgrades available (15.4.6 == 15.4.6)\n" });
    expect((await updater.command("rollback", "statefulset/agent")).status).toBe(0);
    await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6\): svc\.dev\/rollback asks for it object=agent$/m);
    expect(await images(admin)).toEqual(["svc:15.4.6", "svc:15.4.5", "svc:15.4.6"]);
    expect(await updater.command("retry", "statefulset/agent", "15.4.6")).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^cleared: 15\.4\.6 was rejected: svc\.dev\/rollback asks for it; /),
    });
  }),
);
