import { expect, test } from "vitest";
import { generation, goodPods, images, made, openWindow, quick, recorded } from "../lab/moves.ts";
import { inNamespace } from "../lab/namespace.ts";
import { decided, givenBack, startUpdater, updaterRules, versionServer } from "../lab/updater.ts";
import { wayTo } from "../lab/way.ts";

/** The API server is away in each step of a move, and the move ends as it should. */

for (const [title, words] of [
  ["its move was begun", /and it begins now/],
  ["the image was patched", /the image is about to be changed/],
  ["the pods were being replaced", /the pods are being replaced/],
  ["the pods were all ready", /all pods run it and are ready/],
  ["the version was given up", /the image is about to be put back/],
  ["the image was put back", /the image is put back/],
] as const) {
  const isBack = title.includes("up") || title.includes("back");
  test.concurrent(
    `a move ends as it should where the API server was away when ${title}`,
    inNamespace(updaterRules, async (stage) => {
      const { admin, lab } = stage;
      await made(admin, "svc:15.4.5");
      await openWindow(admin);
      const served = isBack ? "15.4.6-bad" : "15.4.6";
      await using server = await versionServer(`v${served}`);
      await using way = await wayTo(lab.server);
      await using updater = startUpdater(stage, server.url, (text) => quick(text).replace(lab.server, way.url));
      await updater.said(words);
      await way.cut();
      for (const name of ["statefulsets", "pods", "configmaps"])
        await updater.said(new RegExp(`it cannot be watched name=${name}`));
      const good = await goodPods(admin);
      await way.restore();
      if (isBack) {
        await updater.said(/^taken back \(15\.4\.5 -> 15\.4\.6-bad\): agent-2: its container runs and is not ready/m);
        await decided(admin, "rejected");
        expect(await goodPods(admin)).toEqual(expect.arrayContaining([...good]));
        expect((await recorded(admin)).rejected).toMatchObject([{ served }]);
      } else {
        await updater.said(/^upgraded \(15\.4\.5 -> 15\.4\.6\)/m);
        await decided(admin, "current");
        expect(updater.log()).not.toMatch(/taken back|is deleted/);
      }
      await givenBack(admin);
      const expected = isBack ? ["svc:15.4.5", "3"] : ["svc:15.4.6", "2"];
      expect([(await images(admin)).split(" ")[2], await generation(admin)]).toEqual(expected);
    }),
  );
}
