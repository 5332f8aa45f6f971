import { expectFailed, expectUndone } from "../expect-pass.ts";
import { emptyCaches } from "../../system/lab/package-tools.ts";
import { inEachFamily, type Row } from "../scenario.ts";
import { dropIn, serve, serveNext, withSettings } from "../staging.ts";

/** An error in each step of the way forth. Those of the rollback are in row 11. */
export const errors: Row = {
  scenarios: [
    ...inEachFamily(1, "refresh fails: the repository is down", async (stage) => {
      await serveNext(stage);
      await stage.repository.server.goDown();
      await expectFailed(stage, 75, { step: "refresh", code: "refresh-failed" });
      await stage.repository.server.comeUp();
    }),
    ...inEachFamily(1, "offer fails: nobody has the version", async (stage) => {
      serve(stage, "15.99.0");
      await expectFailed(stage, 75, { step: "offer", code: "not-offered" });
    }),
    ...inEachFamily(1, "simulate fails: a dependency is nowhere", async (stage) => {
      await serveNext(stage, { depends: ["nowhere (>= 2)"] });
      await expectFailed(stage, 69, { step: "simulate", code: "plan-refused" });
    }),
    ...inEachFamily(1, "keep fails: no package for a way back, and one is required", async (stage) => {
      await stage.repository.withdraw("svc-ent", stage.current());
      await stage.host.mustRun(["rm", "-rf", "/var/lib/svc-upgrade/packages"]);
      await emptyCaches(stage.host);
      await serveNext(stage);
      await withSettings(stage, "keep_previous: require\n", () => expectFailed(stage, 75, { step: "keep", code: "not-kept" }));
    }),
    ...inEachFamily(1, "install fails: the package refuses to be unpacked", async (stage) => {
      await serveNext(stage, { scripts: "refusing" });
      await expectFailed(stage, 11, { step: "install", code: "install-failed" });
    }),
    ...inEachFamily(1, "install fails: the package's last script does", async (stage) => {
      await serveNext(stage, { scripts: "failing" });
      await expectUndone(stage, { step: "install", code: "install-failed" });
    }),
    ...inEachFamily(1, "verify fails: the binary says that it is another version", async (stage) => {
      await serveNext(stage, { speaks: "15.99.0" });
      await expectUndone(stage, { step: "verify", code: "verify-failed" });
    }),
    ...inEachFamily(1, "verify fails: the package has no binary", async (stage) => {
      await serveNext(stage, { binary: "absent" });
      await expectUndone(stage, { step: "verify", code: "verify-failed" });
    }),
    ...inEachFamily(1, "activate fails: the unit does not start with it", async (stage) => {
      const version = await serveNext(stage);
      const gate = await dropIn(stage.host, `[Service]\nExecStartPre=/bin/sh -c '! svc version | grep -qF v${version}'\n`);
      await withSettings(stage, "agent: {activate: restart}\n", () =>
        expectUndone(stage, { step: "activate", code: "activate-failed" }),
      );
      await gate.remove();
    }),
  ],
  unstaged: [],
};
