import { equal } from "node:assert/strict";
import { expectCrashUndone, expectMoved, expectStay } from "../expect-pass.ts";
import { inEachFamily, onApt, type Row } from "../scenario.ts";
import { decide, retry, serve, serveNext, withSettings } from "../staging.ts";

export const versions: Row = {
  scenarios: [
    ...inEachFamily(14, "the same version is served: no package manager is started", async (stage) => {
      serve(stage, stage.current());
      const asked = stage.repository.server.requests.length;
      await expectStay(stage, "current");
      equal(stage.repository.server.requests.length, asked);
    }),
    ...onApt(14, "no version is served", async (stage) => {
      stage.versions.serve("default", { version: "none" });
      await expectStay(stage, "no-version");
    }),
    ...inEachFamily(14, "an older version is served: refused, and taken where the settings allow it", async (stage) => {
      decide(stage, "15.4.0");
      await expectStay(stage, "downgrade-refused");
      await withSettings(stage, "downgrade: allow\n", () => expectMoved(stage, "15.4.0"));
    }),
    ...inEachFamily(14, "a version that failed here is still served: rejected, until somebody says retry", async (stage) => {
      await serveNext(stage, { start: "crashes" });
      await expectCrashUndone(stage);
      await expectStay(stage, "rejected");
      equal((await stage.host.run(["svc-upgrade", "run", "--now"])).status, 0);
      await expectStay(stage, "rejected");
      await retry(stage);
      await expectCrashUndone(stage);
    }),
    ...onApt(14, "more than one major version ahead, with major: one-step", async (stage) => {
      serve(stage, "17.0.0");
      await withSettings(stage, "major: one-step\n", () => expectStay(stage, "major-refused"));
    }),
  ],
  unstaged: [],
};
