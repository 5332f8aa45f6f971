import { expect, test } from "vitest";
import { missingForRegistry, serveRegistry } from "../registry/served.ts";
import { inNamespace, type Rule } from "../lab/namespace.ts";
import { statefulSet } from "../lab/stateful-set.ts";
import { decided, schedule, seen, startUpdater, trigger, updaterRules, versionServer } from "../lab/updater.ts";

const missing = missingForRegistry();
if (missing !== undefined) console.warn(`SKIPPED: images that are looked up on a control plane: ${missing}`);

const both = ["linux/amd64", "linux/arm64"];
/** As docs/kubernetes.md has it on top. */
const rules: readonly Rule[] = [
  ...updaterRules,
  { apiGroups: [""], resources: ["secrets"], resourceNames: ["regcred"], verbs: ["get"] },
];

function asking(registry: string): (text: string) => string {
  return (text) =>
    text
      .replace(/^registry: .*$/m, `registry: {plain_http: loopback, pull_secrets: [regcred], ${registry}}`)
      .replace(/^deadlines: .*$/m, "deadlines: {ask: 1s, gather: 1s, health: 4s, settle: 1s, free: 1s}");
}

test.skipIf(missing !== undefined).concurrent(
  "an image is looked up with the pull secret, and set and proven by its digest",
  inNamespace(rules, async (stage) => {
    const { admin } = stage;
    await using registry = await serveRegistry(undefined, { password: "word" });
    await registry.push("15.4.5", both);
    await registry.push("15.4.6", ["linux/amd64"]);
    const repository = `${registry.host}/svc`;
    await admin(["create", "--filename=-"], statefulSet({ name: "agent", image: `${repository}:15.4.5` }));
    await admin(["wait", "--for=jsonpath={.status.availableReplicas}=3", "statefulset/agent", "--timeout=20s"]);
    await schedule(admin, new Date(Date.now() - 60_000).toISOString(), new Date(Date.now() + 3_600_000).toISOString());
    await using server = await versionServer("v15.4.6");

    // Without credentials nothing can be told, and so nothing be pinned.
    {
      await using updater = startUpdater(stage, server.url, asking("pin: digest"));
      await decided(admin, "not-pinned");
      await updater.said(/answers with status 401, and no pull secret is for it; the pull secret regcred cannot be read: /);
    }
    await admin([
      "create",
      "secret",
      "docker-registry",
      "regcred",
      `--docker-server=${registry.host}`,
      "--docker-username=user",
      "--docker-password=word",
    ]);
    await using updater = startUpdater(stage, server.url, asking("pin: digest"));
    await updater.said(/15\.4\.6 is not there for linux\/arm64, which the image that runs is there for .*reason=not-offered/);
    await server.serves("v15.4.7");
    await trigger(admin, "15.4.7");
    await updater.said(/the registry does not have \S+:15\.4\.7 .*reason=not-offered/);
    expect(await seen(admin, "statefulset/agent", "{.metadata.generation}")).toBe("1");

    const digest = await registry.push("15.4.8", both);
    await server.serves("v15.4.8");
    await trigger(admin, "15.4.8");
    await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.8\) object=agent$/m);
    await decided(admin, "current");
    const pods = await seen(admin, "pods", "{.items[*].spec.containers[0].image}");
    expect(pods).toBe(Array(3).fill(`${repository}:15.4.8@${digest}`).join(" "));

    // A registry that is gone holds nothing up, and is told with the move.
    await updater.ended("SIGTERM");
    await registry.stop();
    await server.serves("v15.4.9");
    await using next = startUpdater(stage, server.url, asking("pin: none"));
    await next.said(/it begins now: .*; it is not known whether there is \S+:15\.4\.9: .*the connection is refused/);
    await next.said(/^upgraded \(15\.4\.8 -> 15\.4\.9\) object=agent$/m);
    const record = await seen(admin, "configmap/statefulset-agent-updater", "{.data}");
    expect(`${updater.log()}${next.log()}${record}`).not.toMatch(/dXNlcjp3b3Jk|user:word/);
  }),
);
