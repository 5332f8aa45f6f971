import { expect, test } from "vitest";
import { generation, goodPods, images, made, openWindow, quick, recorded } from "../lab/moves.ts";
import { inNamespace } from "../lab/namespace.ts";
import { decided, longestMs, seen, startUpdater, trigger, updaterRules, versionServer } from "../lab/updater.ts";
import { webhook, type WebhookAnswer } from "../lab/webhook.ts";
import { until } from "../../system/lab/until.ts";

/** What admission webhooks make of the updater's patches. */

const mirror = "mirror.example";

function mirrored(image: string): WebhookAnswer {
  return image.startsWith(mirror) ? "allowed" : { image: `${mirror}/${image}` };
}

test.concurrent(
  "an image that a webhook has rewritten is proven, taken back to, and moved from",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await openWindow(admin);
    await using _ = await webhook(stage, "Mutating", mirrored);
    await using server = await versionServer("v15.4.6");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\) object=agent$/m);
    await decided(admin, "current");
    expect(await images(admin)).toBe(threeOf("15.4.6"));
    const good = await goodPods(admin);

    await server.serves("v15.4.7-bad");
    await trigger(admin, "15.4.7");
    await updater.said(/^taken back \(15\.4\.6 -> 15\.4\.7-bad\): agent-2: its container runs and is not ready object=agent$/m);
    await decided(admin, "rejected");
    expect(await images(admin)).toBe(threeOf("15.4.6"));
    expect((await goodPods(admin)).slice(0, 2)).toEqual(good.slice(0, 2));

    await server.serves("v15.4.8");
    await trigger(admin, "15.4.8");
    await updater.said(/^upgraded \(15\.4\.6 -> 15\.4\.8\) object=agent$/m);
    await decided(admin, "current");
    expect(await images(admin)).toBe(threeOf("15.4.8"));
  }),
);

test.concurrent(
  "the way back is proven, too, where a webhook rewrites the image before",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await openWindow(admin);
    await using _ = await webhook(stage, "Mutating", mirrored);
    await using server = await versionServer("v15.4.6-bad");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/15\.4\.6-bad: the pods are being replaced/);
    expect((await recorded(admin)).move).toMatchObject({ image: `${mirror}/svc:15.4.6-bad`, imageBefore: "svc:15.4.5" });
    await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6-bad\): agent-2: its container runs and is not ready object=agent$/m);
    await decided(admin, "rejected");
    expect(await images(admin)).toBe(threeOf("15.4.5"));
    const { rejected } = await recorded(admin);
    expect(rejected).toMatchObject([{ served: "15.4.6-bad", artifact: `${mirror}/svc:15.4.6-bad` }]);
    expect(await generation(admin)).toBe("3");
  }),
);

function threeOf(version: string): string {
  return Array<string>(3).fill(`${mirror}/svc:${version}`).join(" ");
}

test.concurrent(
  "tells of a webhook that is broken, tries again by itself, and moves when it is well",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await openWindow(admin);
    let answer: WebhookAnswer = "broken";
    await using _ = await webhook(stage, "Validating", () => answer);
    await using server = await versionServer("v15.4.6");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/the last try: .*failed calling webhook .*images\.example\.com.*the store is away/);
    expect(await generation(admin)).toBe("1");
    answer = "allowed";
    // Nobody asks it to: a move in hand is looked at each minute.
    const isOver = (): Promise<true | undefined> => Promise.resolve(updater.log().includes("upgraded") ? true : undefined);
    await until("it has tried again", 60_000 + longestMs, isOver);
    await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\) object=agent$/m);
    expect((await recorded(admin)).rejected).toEqual([]);
  }),
);

test.concurrent(
  "tells of a webhook that does not answer on the way back, and goes back when it does",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await made(admin, "svc:15.4.5");
    await openWindow(admin);
    let answer: WebhookAnswer = "allowed";
    await using _ = await webhook(stage, "Validating", () => answer);
    await using server = await versionServer("v15.4.6-bad");
    await using updater = startUpdater(stage, server.url, quick);
    await updater.said(/the pods are being replaced/);
    answer = "silent";
    await updater.said(/the image is about to be put back; the last try: .*failed calling webhook .*deadline exceeded/);
    expect(await generation(admin)).toBe("2");
    const good = await goodPods(admin);
    expect(good).toHaveLength(2);
    answer = "allowed";
    await trigger(admin, "again");
    await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6-bad\): agent-2: its container runs and is not ready object=agent$/m);
    await decided(admin, "rejected");
    expect(await images(admin)).toBe("svc:15.4.5 svc:15.4.5 svc:15.4.5");
    expect(await goodPods(admin)).toEqual(expect.arrayContaining([...good]));
  }),
);

for (const code of [undefined, 403, 422]) {
  test.concurrent(
    `waits where a webhook refuses an image ${code === undefined ? "without a status code" : `by ${code}`}, in its words`,
    inNamespace(updaterRules, async (stage) => {
      const { admin } = stage;
      await made(admin, "svc:15.4.5");
      await openWindow(admin);
      const status = { message: "15.4.6 is not signed", ...(code === undefined ? {} : { code }) };
      await using _ = await webhook(stage, "Validating", (image) => (image.endsWith(":15.4.6") ? { status } : "allowed"));
      await using server = await versionServer("v15.4.6");
      await using updater = startUpdater(stage, server.url, quick);
      await updater.said(
        /after a failure: a policy refuses the image: admission webhook .*15\.4\.6 is not signed.* reason=backing-off/,
      );
      expect(await generation(admin)).toBe("1");
      expect((await recorded(admin)).rejected).toEqual([]);
      expect(await seen(admin, "configmap/statefulset-agent-updater", "{.data.status}")).toContain("15.4.6 is not signed");
      await server.serves("v15.4.7");
      await trigger(admin, "15.4.7");
      await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.7\) object=agent$/m);
    }),
  );
}
