import { ok } from "node:assert/strict";
import { beginPass, endOfPass, isPassing, tick } from "../pass.ts";
import { recordOf } from "../record.ts";
import { inEachFamily, Missed, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { retry, serveNext } from "../staging.ts";
import { fingerprint, recordChanges, stepBegins } from "../watch-step.ts";
import { expectRunning, expectWhole, versionsIn } from "../whole.ts";

/** More passes than any loop may take to break out. */
const tooMany = 8;

export const loops: Row = {
  scenarios: [
    ...inEachFamily(5, "a version that takes the host down while it is installed", (stage) => takesDown(stage, isSetUp)),
    ...inEachFamily(5, "a version that takes the host down once it runs", (stage) => takesDown(stage, isWatched)),
  ],
  unstaged: [],
};

/** A power cut whenever the version is there; until no pass comes so far any more. Then one version is whole, and runs. */
async function takesDown(stage: Stage, comesSoFar: (stage: Stage, version: string) => Promise<void>): Promise<string> {
  const { host } = stage;
  const version = await serveNext(stage);
  let cuts = 0;
  while (cuts < tooMany && (await isCut(stage, () => comesSoFar(stage, version)))) cuts += 1;
  ok(cuts < tooMany, `after ${cuts} passes it still goes on`);
  await tick(host);
  const there = (await versionsIn(host)).join(", ").includes(version) ? version : stage.current();
  await expectWhole(host, there);
  await expectRunning(host, there);
  const { needsOperator } = recordOf(host);
  if (needsOperator !== undefined) await retry(stage);
  const end = there === version ? "the new version" : "the old version";
  return `${cuts} power cuts, ends at ${end}${needsOperator === undefined ? "" : " and calls a person"}`;
}

async function isCut({ host }: Stage, comesSoFar: () => Promise<void>): Promise<boolean> {
  const before = fingerprint(host);
  await beginPass(host);
  try {
    await recordChanges(host, before);
    await comesSoFar();
  } catch (thrown) {
    if (!(thrown instanceof Missed)) throw thrown;
    await endOfPass(host);
    return false;
  }
  await host.powerCut();
  await host.boot();
  return true;
}

/** As the package's own script would take it down. */
async function isSetUp({ host }: Stage, version: string): Promise<void> {
  for (;;) {
    const said = await host.enter(["cat", "/run/svc-ent.setting-up"]);
    if (said.stdout.includes(` v${version} `)) return;
    if (!(await isPassing(host))) throw new Missed("the version was not set up again");
  }
}

/** In this very pass: one that repairs begins with what the record has of the pass before. */
async function isWatched({ host }: Stage): Promise<void> {
  for (;;) {
    const { done } = await stepBegins(host, "health");
    if (done.length > 0) return;
    if (!(await isPassing(host))) throw new Missed("the version was not watched again");
  }
}
