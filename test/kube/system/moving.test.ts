import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { inNamespace } from "../lab/namespace.ts";
import { deployed, getsReady, goodPods, images, made, openWindow, quick, quickDeployment } from "../lab/moves.ts";
import {
  decided,
  deploymentRules,
  givenBack,
  seen,
  startUpdater,
  trigger,
  updaterRules,
  versionServer,
  type Updater,
  type VersionServer,
} from "../lab/updater.ts";
import { wayTo } from "../lab/way.ts";

test.concurrent(
  "moves a StatefulSet in its window, proves it, and leaves an older image that somebody puts back",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await using server = await versionServer("v15.4.6");
    await using updater = startUpdater(stage, server.url, quick);
    await decided(admin, "schedule-missing");
    expect(await images(admin)).toBe("svc:15.4.5 svc:15.4.5 svc:15.4.5");
    await openWindow(admin);
    await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\) object=agent$/m);
    await decided(admin, "current");
    expect(await images(admin)).toBe("svc:15.4.6 svc:15.4.6 svc:15.4.6");
    await givenBack(admin);
    expect(await seen(admin, "statefulset/agent", "{.metadata.generation}")).toBe("2");

    await admin(["set", "image", "statefulset/agent", "svc=svc:15.4.5"]);
    await updater.said(/the image was set to svc:15\.4\.5 after 15\.4\.6 was proven by kubectl-set at .* reason=set-back/);
    await admin(["rollout", "status", "statefulset/agent", "--timeout=20s"]);
    await decided(admin, "set-back");
    await server.serves("v15.4.7");
    await trigger(admin, "newer");
    await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.7\) object=agent$/m);
    expect(updater.log()).not.toMatch(/level=error|could not/);
  }),
);

test.concurrent(
  "takes a version back whose pods do not get ready, frees the set, and remembers it",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await openWindow(admin);
    await using server = await versionServer("v15.4.6-bad");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/reason=going-back/);
    const good = await goodPods(admin);
    expect(good).toHaveLength(2);
    await updater.said(/^a stuck pod is deleted object=agent pod=agent-2$/m);
    await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6-bad\): agent-2: its container runs and is not ready object=agent$/m);
    await decided(admin, "rejected");
    expect(await images(admin)).toBe("svc:15.4.5 svc:15.4.5 svc:15.4.5");
    // No good pod was touched.
    expect(await goodPods(admin)).toEqual(expect.arrayContaining([...good]));
    const generation = await seen(admin, "statefulset/agent", "{.metadata.generation}");
    await updater.ended("SIGTERM");

    await using next = startUpdater(stage, server.url, quick);
    await next.said(/15\.4\.6-bad was rejected here on .*: agent-2: its container runs and is not ready/);
    expect(await seen(admin, "statefulset/agent", "{.metadata.generation}")).toBe(generation);
    await server.serves("v15.4.7");
    await trigger(admin, "newer");
    await next.said(/^upgraded \(15\.4\.5 -> 15\.4\.7\) object=agent$/m);
  }),
);

test.concurrent(
  "what nobody saw while the API server was away is held against no version",
  inNamespace(updaterRules, async (stage) => {
    const { admin, lab } = stage;
    await made(admin, "svc:15.4.5");
    await openWindow(admin);
    await using server = await versionServer("v15.4.6-bad");
    await using way = await wayTo(lab.server);
    const healthSeconds = 10;
    await using updater = startUpdater(stage, server.url, (text) =>
      quick(text).replace("health: 4s", `health: ${healthSeconds}s`).replace(lab.server, way.url),
    );
    await updater.said(/the pods are being replaced/);
    await way.cut();
    await updater.said(/it cannot be watched name=pods/);
    await sleep((healthSeconds + 1) * 1000);
    await way.restore();
    for (const name of ["configmaps", "pods", "statefulsets", "secrets"]) {
      await updater.said(new RegExp(`it can be watched again name=${name}`));
    }
    // Time for the look that would give the version up.
    await sleep(3000);
    for (const ordinal of [2, 1, 0]) await getsReady(admin, `pod/agent-${ordinal}`, "svc:15.4.6-bad");
    await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.6-bad\) object=agent$/m);
    expect(updater.log()).not.toContain("taken back");
  }),
);

/** Kills the updater as soon as it says that, and starts the next one. */
async function killedAt(words: RegExp, start: () => Updater): Promise<Updater> {
  await using first = start();
  await first.said(words);
  await first.ended("SIGKILL");
  return start();
}

for (const [title, words] of [
  ["its move was begun", /and it begins now/],
  ["the image was patched", /the image is about to be changed/],
  ["the pods were being replaced", /the pods are being replaced/],
  ["the pods were all ready", /all pods run it and are ready/],
] as const) {
  test.concurrent(
    `goes on with a move after it was killed when ${title}`,
    inNamespace(updaterRules, async (stage) => {
      const { admin } = stage;
      await made(admin, "svc:15.4.5");
      await openWindow(admin);
      await using server: VersionServer = await versionServer("v15.4.6");
      await using updater = await killedAt(words, () => startUpdater(stage, server.url, quick));
      await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\)/m);
      await givenBack(admin);
      // One change, by whichever of the two.
      expect(await seen(admin, "statefulset/agent", "{.metadata.generation}")).toBe("2");
    }),
  );
}

test.concurrent(
  "gives the image's field back that an updater left which was killed after its proof, but not where a GitOps tool goes by it",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await admin(["set", "image", "statefulset/agent", "svc=svc:15.4.6", "--field-manager=svc-kube-updater"]);
    await admin(["rollout", "status", "statefulset/agent", "--timeout=20s"]);
    await using server = await versionServer("v15.4.6");
    {
      await using _ = startUpdater(stage, server.url, (text) => `${quick(text)}\nmode: update\n`);
      await decided(admin, "current");
    }
    const managers = "--output=jsonpath={.metadata.managedFields[*].manager}";
    expect(await admin(["get", "statefulset/agent", "--show-managed-fields", managers])).toContain("svc-kube-updater");
    await using updater = startUpdater(stage, server.url, quick);
    await givenBack(admin);
    expect(updater.log()).not.toContain("level=warning");
  }),
);

for (const [title, words] of [
  ["the version was given up", /the image is about to be put back/],
  ["the image was put back", /the image is put back/],
] as const) {
  test.concurrent(
    `goes on with a way back after it was killed when ${title}`,
    inNamespace(updaterRules, async (stage) => {
      const { admin } = stage;
      await made(admin, "svc:15.4.5");
      await openWindow(admin);
      await using server: VersionServer = await versionServer("v15.4.6-bad");
      await using updater = await killedAt(words, () => startUpdater(stage, server.url, quick));
      await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6-bad\)/m);
      await decided(admin, "rejected");
      expect(await images(admin)).toBe("svc:15.4.5 svc:15.4.5 svc:15.4.5");
      expect(await seen(admin, "statefulset/agent", "{.metadata.generation}")).toBe("3");
    }),
  );
}

test.concurrent(
  "moves a Deployment and takes a version back",
  inNamespace(deploymentRules, async (stage) => {
    const { admin } = stage;
    await deployed(admin, "svc:15.4.5");
    await openWindow(admin);
    await using server = await versionServer("v15.4.6");
    await using updater = startUpdater(stage, server.url, quickDeployment);
    await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\)/m);
    await server.serves("v15.4.7-bad");
    await trigger(admin, "newer", "deployment/agent");
    await updater.said(/^taken back \(15\.4\.6 -> 15\.4\.7-bad\): agent-\S+: its container runs and is not ready/m);
    await decided(admin, "rejected", "deployment-agent-updater");
    expect(await images(admin)).toBe("svc:15.4.6 svc:15.4.6 svc:15.4.6");
    expect(updater.log()).not.toMatch(/is deleted/);
  }),
);

test.concurrent(
  "of two updaters one moves it",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await openWindow(admin);
    await using server = await versionServer("v15.4.6");
    await using one = startUpdater(stage, server.url, quick);
    await using other = startUpdater(stage, server.url, quick);
    await Promise.race([one, other].map((updater) => updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\)/m)));
    await decided(admin, "current");
    expect(await seen(admin, "statefulset/agent", "{.metadata.generation}")).toBe("2");
  }),
);

test.concurrent(
  "does what people ask for by annotations, once",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await using server = await versionServer("v15.4.6");
    await using updater = startUpdater(stage, server.url, quick);
    const ask = (what: string): Promise<string> => {
      const instant = new Date().toISOString().replace(/\.\d+/, "");
      return admin(["annotate", "--overwrite", "statefulset/agent", `svc.dev/${what}=${instant}`]);
    };
    await decided(admin, "schedule-missing");
    await ask("run-now");
    await updater.said(/an upgrade is available \(15\.4\.5 -> 15\.4\.6\), and it begins now: it was asked for/);
    await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\)/m);
    await ask("rollback");
    await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6\): svc\.dev\/rollback asks for it/m);
    await decided(admin, "rejected");
    expect(await images(admin)).toBe("svc:15.4.5 svc:15.4.5 svc:15.4.5");
    await ask("retry");
    await decided(admin, "schedule-missing");
    await admin(["annotate", "statefulset/agent", "svc.dev/skipreconcile=true"]);
    await openWindow(admin);
    await decided(admin, "suspended");
    await admin(["annotate", "statefulset/agent", "svc.dev/skipreconcile-"]);
    await decided(admin, "current");
    expect(await images(admin)).toBe("svc:15.4.6 svc:15.4.6 svc:15.4.6");
  }),
);
