import { equal } from "node:assert/strict";
import { expectStatus } from "./expect-status.ts";
import { expectHonest, expectNobodyCalled, tell } from "./honest.ts";
import { tick } from "./pass.ts";
import { lastPassId, recordOf } from "./record.ts";
import { openWindow, type Stage } from "./stage.ts";
import { expectRunning, expectWhole } from "./whole.ts";

/** The next good version is served, and the next pass brings the agent to it: as if nothing had ever happened on this host. */
export async function walkGoldenPath(stage: Stage): Promise<void> {
  const { host, versions } = stage;
  const version = await stage.publish();
  versions.serve("default", { version: `v${version}` });
  await openWindow(host);
  const before = lastPassId(host);
  const began = performance.now();
  const status = await tick(host);
  const passMs = performance.now() - began;
  const pass = expectHonest(stage, { installed: version, status }, before);
  equal(pass.outcome.kind, "moved", `the golden path ends elsewhere: ${tell(pass.outcome)}`);
  await expectWhole(host, version, stage.set);
  await expectRunning(host, version, stage.set);
  expectNobodyCalled(recordOf(host));
  await expectStatus(stage, status);
  stage.learn({ current: version, passMs, stepMs: new Map(pass.steps.map(({ step, ms }) => [step, ms])) });
}
