import { equal, ok } from "node:assert/strict";
import { buildAgent, type AgentOptions } from "../../system/lab/agent.ts";
import { expectCrashUndone, expectMovedNow, expectStay } from "../expect-pass.ts";
import { tell } from "../honest.ts";
import { lastPass, recordOf } from "../record.ts";
import { inEachFamily, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { retry, serve, serveNext } from "../staging.ts";
import { expectRunning, versionsIn } from "../whole.ts";

/** What two servers that disagree come to. */
const flips = 3;

/** What failed here is remembered, whatever else is served meanwhile; and what ends that. */
export const rejected: Row = {
  scenarios: [
    ...inEachFamily(48, "a version that failed is served again after another one: it stays rejected", async (stage) => {
      const bad = await serveBad(stage);
      for (let flip = 0; flip < flips; flip += 1) await expectStillRejected(stage, bad);
      await retry(stage);
      await expectCrashUndone(stage);
    }),
    ...inEachFamily(48, "a version that failed is there in a later revision of its package: it is taken", async (stage) => {
      const bad = await serveBad(stage);
      await expectStillRejected(stage, bad);
      await stage.repository.publish(await goodPackage(stage, bad, `${bad}-2`));
      await expectRevisionNow(stage, bad, `${bad}-2`);
    }),
    ...inEachFamily(48, "a version that failed is there in another package of the same revision: it is taken", async (stage) => {
      const bad = await serveBad(stage);
      await expectStillRejected(stage, bad);
      await stage.repository.withdraw("svc-ent", bad);
      await stage.repository.publish(await goodPackage(stage, bad));
      await expectMovedNow(stage, bad);
    }),
  ],
  unstaged: [],
};

async function serveBad(stage: Stage): Promise<string> {
  const bad = await serveNext(stage, { start: "crashes" });
  await expectCrashUndone(stage);
  expectRemembered(stage, bad);
  return bad;
}

/** What is installed is served for one pass, and then the version that failed. */
async function expectStillRejected(stage: Stage, bad: string): Promise<void> {
  serve(stage, stage.current());
  await expectStay(stage, "current");
  expectRemembered(stage, bad);
  serve(stage, bad);
  await expectStay(stage, "rejected");
}

function expectRemembered({ host }: Stage, bad: string): void {
  ok(
    recordOf(host).rejected.some(({ served }) => served === bad),
    `${bad} failed here, and is not remembered`,
  );
}

/** The same version, and it does well. */
function goodPackage({ host }: Stage, version: string, packageVersion?: string): Promise<string> {
  const options: AgentOptions = { version, reload: "exec", scripts: "unhurried" };
  return buildAgent(host, packageVersion === undefined ? options : { ...options, packageVersion });
}

/** The package is another one than the version has elsewhere. Whoever asks need not wait until the repositories are searched again. */
async function expectRevisionNow(stage: Stage, version: string, revision: string): Promise<void> {
  const { host } = stage;
  equal((await host.run(["svc-upgrade", "run", "--now"])).status, 0);
  equal((await versionsIn(host)).join(", "), `${revision} installed`);
  await expectRunning(host, version);
  const { outcome } = lastPass(host);
  equal(outcome.kind === "moved" ? outcome.to : tell(outcome), revision);
}
