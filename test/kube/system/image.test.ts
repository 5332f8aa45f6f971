import { expect, test } from "vitest";
import { scratchOfTest } from "../../machine/files/scratch.ts";
import { missingForImages, unpackedImage } from "../../unpacked-image.ts";
import { inNamespace } from "../lab/namespace.ts";
import { statefulSet } from "../lab/stateful-set.ts";
import { decided, startUpdater, updaterRules, versionServer } from "../lab/updater.ts";

const missing = missingForImages();
if (missing !== undefined) console.warn(`SKIPPED: the image of svc-kube-updater: ${missing}`);

test.skipIf(missing !== undefined)(
  "the updater looks out of its image, as its user, with nothing else to be seen",
  inNamespace(updaterRules, async (stage) => {
    const root = await unpackedImage("svc-kube-updater", { folder: scratchOfTest() });
    await stage.admin(["create", "--filename=-"], statefulSet({ name: "agent", image: "registry.example:5000/svc:15.4.5" }));
    await using server = await versionServer("v15.4.5");
    await using updater = startUpdater(stage, server.url, undefined, root);
    await updater.said(/^the statefulset is already up to date object=agent current=15\.4\.5 next=15\.4\.5$/m);
    await decided(stage.admin, "current");
    expect(await updater.ended("SIGTERM")).toEqual([0, null]);
  }),
);
