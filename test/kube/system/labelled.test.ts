import { expect, test } from "vitest";
import { parse } from "yaml";
import { excerpt } from "../../documents.ts";
import { until } from "../../system/lab/until.ts";
import type { Kubectl } from "../lab/kubectl.ts";
import { inNamespace, type Rule } from "../lab/namespace.ts";
import { statefulSet } from "../lab/stateful-set.ts";
import { decided, longestMs, schedule, seen, startUpdater, versionServer } from "../lab/updater.ts";

/** Objects that no setting names. */

const rules = parse(excerpt("kube-labelled-role")) as readonly Rule[];
const record = (reference: string): string => `${reference.replace("/", "-")}-updater`;

function settings(text: string): string {
  const namespace = /namespace: ([a-z0-9-]+)/.exec(text)?.[1];
  return text
    .replace(/^object: .*$/m, excerpt("kube-labelled").trim().replace("{", `{namespace: ${namespace}, `))
    .replace(/^deadlines: .*$/m, "deadlines: {ask: 1s, gather: 1s, health: 4s, settle: 2s, free: 1s}");
}

type Workload = { readonly metadata: object; readonly spec: { readonly serviceName?: string } };

/** `labels` and `annotations` of the object, not of its pods. */
async function make(
  admin: Kubectl,
  reference: string,
  metadata: object = { labels: { "svc.dev/updater": "agent" } },
): Promise<void> {
  const [kind, name = ""] = reference.split("/");
  const set = statefulSet({ name, image: "svc:15.4.5", replicas: 2 }) as Workload;
  const { serviceName, ...spec } = set.spec;
  const of = kind === "deployment" ? { kind: "Deployment", spec } : { kind: "StatefulSet", spec: { ...spec, serviceName } };
  await admin(["create", "--filename=-"], { ...set, ...of, metadata: { ...set.metadata, ...metadata } });
  await admin(["wait", "--for=jsonpath={.status.availableReplicas}=2", reference, "--timeout=20s"]);
}

function image(admin: Kubectl, reference: string): Promise<string> {
  return seen(admin, reference, "{.spec.template.spec.containers[0].image}");
}

test(
  "objects that bear the label are followed as if they were named: one first, then the others, and they come and go",
  inNamespace(rules, async (stage) => {
    const { admin } = stage;
    const labels = { "svc.dev/updater": "agent" };
    const followed = ["statefulset/canary", "deployment/relay", "statefulset/store"];
    for (const reference of followed) await make(admin, reference);
    await make(admin, "statefulset/other", { labels: { "svc.dev/updater": "another" } });
    await make(admin, "statefulset/wrong", { labels, annotations: { "svc.dev/container": "Svc", "svc.dev/channel": "default" } });
    await make(admin, "deployment/lost", { labels, annotations: { "svc.dev/channel": "a b" } });
    await using server = await versionServer("v15.4.6");
    await schedule(admin, new Date(Date.now() - 60_000).toISOString(), new Date(Date.now() + 3_600_000).toISOString());

    await using updater = startUpdater(stage, server.url, settings);
    await updater.said(/the pods are being replaced .*object=canary/);
    await admin(["annotate", "statefulset/canary", "svc.dev/skipreconcile=true"]);
    await decided(admin, "suspended", record("statefulset/canary"));
    for (const reference of followed.slice(1)) await decided(admin, "queued", record(reference));
    await decided(admin, "container-absent", record("statefulset/wrong"));
    await decided(admin, "annotation-invalid", record("deployment/lost"));
    await make(admin, "statefulset/late");
    await decided(admin, "queued", record("statefulset/late"));
    const status = await updater.command("status", "late");
    expect(status.stdout).toMatch(
      /^object: statefulset\/late, .*\n(?:.*\n)*decision: stay: another object goes first: statefulset\/canary/,
    );
    await admin(["label", "statefulset/store", "svc.dev/updater-"]);
    await updater.said(/^it is gone or has lost its label, .* object=store$/m);

    await admin(["annotate", "statefulset/canary", "svc.dev/skipreconcile-"]);
    for (const name of ["canary", "late", "relay"]) {
      await updater.said(new RegExp(`^upgraded \\(15\\.4\\.5 -> 15\\.4\\.6\\) object=${name}$`, "m"));
    }
    const stayed = ["statefulset/store", "statefulset/other", "statefulset/wrong", "deployment/lost"];
    for (const reference of stayed) expect(await image(admin, reference)).toBe("svc:15.4.5");
    expect(updater.log()).toMatch(/^the object has no container Svc; it has svc object=wrong .*svc\.dev\/container=NAME/m);
    expect(updater.log()).toMatch(/^the annotation svc\.dev\/channel is "a b", which is no channel object=lost /m);

    // The label is lost with the record's; what the record says is not.
    await admin(["label", "configmap/statefulset-store-updater", "svc.dev/updater-"]);
    const turn = await turnOf(admin);
    await admin(["label", "statefulset/store", "svc.dev/updater=agent"]);
    await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\) object=store$/m);
    expect(await turnOf(admin)).toBeGreaterThan(turn + 2);
    expect(await seen(admin, "configmap/statefulset-store-updater", "{.metadata.labels}")).toBe('{"svc.dev/updater":"agent"}');

    await admin(["delete", "statefulset/late"]);
    await updater.said(/^it is gone or has lost its label, .* object=late$/m);
    await admin(["get", "configmap/statefulset-late-updater"]);
    const { objects } = JSON.parse((await updater.command("status", "--json")).stdout) as { readonly objects: readonly object[] };
    expect(objects).toMatchObject(
      ["statefulset/canary", "deployment/lost", "deployment/relay", "statefulset/store", "statefulset/wrong"].map((object) => ({
        object,
      })),
    );
    expect((await updater.command("dry-run", "relay")).stdout).toBe("no upgrades available (15.4.6 == 15.4.6)\n");
    expect((await updater.command("rollback", "deployment/relay")).status).toBe(0);
    await until("the image before is back", longestMs, async () =>
      (await image(admin, "deployment/relay")) === "svc:15.4.5" ? true : undefined,
    );
    await admin(["label", "statefulsets,deployments", "--all", "svc.dev/updater-"]);
    expect(await updater.command("status")).toMatchObject({
      status: 69,
      stderr: expect.stringMatching(
        /has the label svc\.dev\/updater=agent; give it to those .*kubectl -n \S+ label statefulset\/NAME/,
      ),
    });
  }),
  120_000,
);

async function turnOf(admin: Kubectl): Promise<number> {
  const text = await seen(admin, "configmap/statefulset-store-updater", "{.data.record}");
  return (JSON.parse(text) as { readonly turn: number }).turn;
}
