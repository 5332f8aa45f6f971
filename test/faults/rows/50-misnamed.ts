import { deepEqual, match, notEqual, ok } from "node:assert/strict";
import { buildAgent } from "../../system/lab/agent.ts";
import { buildPackage, packageVersion } from "../../system/lab/package.ts";
import { expectEnded } from "../expect-pass.ts";
import { tell } from "../honest.ts";
import { swapFiles } from "../misnamed.ts";
import { tick } from "../pass.ts";
import { lastPassId, recordOf } from "../record.ts";
import { inEachFamily, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { serve, withSettings } from "../staging.ts";

export const misnamed: Row = {
  scenarios: [
    ...inEachFamily(50, "the file of another package is sent: refused before anything is installed", isRefused),
    ...inEachFamily(50, "the file of another package is sent, and no package is kept", (stage) =>
      withSettings(stage, "keep_previous: never\n", () => isRefused(stage)),
    ),
    ...inEachFamily(50, "the file of another version is sent: refused before anything is installed", async (stage) => {
      const older = "15.3.1";
      await refuses(stage, /15\.3\.1/, (version) => buildAgent(stage.host, { version: older, speaks: version, reload: "exec" }));
    }),
  ],
  unstaged: [
    {
      row: 50,
      name: "the file of another architecture is sent",
      why: "every package manager of the lab refuses that by itself; what is inside of a file is compared in a table test",
    },
  ],
};

async function isRefused(stage: Stage): Promise<void> {
  const { host } = stage;
  await refuses(stage, /\bevil\b/, (version) =>
    buildPackage(host, {
      name: "evil",
      version: packageVersion(host, version),
      files: { "/usr/share/evil/here": { content: "evil\n" } },
    }),
  );
  notEqual((await host.enter(["test", "-e", "/usr/share/evil/here"])).status, 0, "the other package is installed");
}

/** Nothing is changed, and the version that was listed is not to blame. */
async function refuses(stage: Stage, named: RegExp, build: (version: string) => Promise<string>): Promise<void> {
  const { host, repository } = stage;
  const version = await stage.publish();
  const sent = await build(version);
  await repository.publish(sent);
  // Built again, for its name alone: what it is called depends on the format.
  const listed = await buildAgent(host, { version, reload: "exec", scripts: "unhurried" });
  await swapFiles(stage, { listed, sent });
  serve(stage, version);
  const before = lastPassId(host);
  const status = await tick(host);
  const ended = { status, outcome: { kind: "failed", back: undefined } } as const;
  const { outcome } = await expectEnded(stage, { status, before }, ended);
  ok(outcome.kind === "failed" && outcome.step !== "install", tell(outcome));
  match(outcome.fault.message, named, "the fault does not name what the file is");
  deepEqual(recordOf(host).rejected, []);
  await host.mustRun(["svc-upgrade", "retry"]);
}
