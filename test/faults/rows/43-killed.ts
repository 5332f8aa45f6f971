import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import type { Random } from "../../fuzz/random.ts";
import { expectHonest, expectNobodyCalled, tell } from "../honest.ts";
import { children, killManager, type Prey } from "../kill-manager.ts";
import { expectMended } from "../mended.ts";
import { beginPass, endOfPass } from "../pass.ts";
import { lastPass, lastPassId, recordOf } from "../record.ts";
import { families, type Row, type Scenario } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { serveNext } from "../staging.ts";
import { stepBegins } from "../watch-step.ts";
import { expectRunning, expectWhole, versionsIn } from "../whole.ts";
import { packageVersion } from "../../system/lab/package.ts";

const preys: readonly Prey[] = ["main process", "control group", "child"];
/** A kept package is installed by dpkg or rpm itself. */
const preysOfOne: readonly Prey[] = ["main process", "control group"];

/** The campaign's packages take most of a second to be changed. */
const latestKillMs = 500;
/** The pass that is asked for, and one more where the first has to repair what lies about. */
const mostTries = 3;

type Play = (stage: Stage, prey: Prey, random: Random) => Promise<string>;

/** SIGKILL to what changes the package, as an out-of-memory killer sends it: it says nothing of any version. */
export const killed: Row = {
  scenarios: [
    ...forEachPrey("at install: nobody is blamed, tried again", killedForth),
    ...forEachPrey("at install, and the network goes", killedAndCutOff),
    ...forEachPrey("at back-install: the bad version does not stay", killedBack, preysOfOne),
  ],
  unstaged: [
    {
      row: 43,
      name: "the kernel's own out-of-memory killer, which systemd tells as oom-kill",
      why: "hosts of the lab have no memory controller; its words are in a table test",
    },
  ],
};

function forEachPrey(when: string, play: Play, wanted: readonly Prey[] = preys): readonly Scenario[] {
  return families.flatMap((family) =>
    wanted
      .filter((prey) => prey !== "child" || children[family] !== undefined)
      .map((prey) => {
        const name = `SIGKILL to the transaction's ${prey === "child" ? `child ${children[family]}` : prey} ${when}`;
        return { row: 43, name, family, play: (stage: Stage, random: Random) => play(stage, prey, random) };
      }),
  );
}

async function killedForth(stage: Stage, prey: Prey, random: Random): Promise<string> {
  const version = await serveNext(stage);
  const hit = await killAtInstall(stage, version, { prey, random });
  return `${hit}; ${await expectTriedAgain(stage, version)}`;
}

/** What is half-way then is repaired with what is at hand. */
async function killedAndCutOff(stage: Stage, prey: Prey, random: Random): Promise<string> {
  const { host } = stage;
  const version = await serveNext(stage);
  const passBefore = lastPassId(host);
  const hit = await killAtInstall(stage, version, { prey, random });
  await host.network.cable("out");
  const mended = await expectMended(stage, { target: version, version: "good", left: recordOf(host).step, passBefore });
  expectNobodyBlamed(stage, version);
  await host.network.cable("in");
  return `${hit}; ${mended}; ${await expectTriedAgain(stage, version)}`;
}

type Kill = { readonly prey: Prey; readonly random: Random };

async function killAtInstall(stage: Stage, version: string, { prey, random }: Kill): Promise<string> {
  const { host } = stage;
  const before = lastPassId(host);
  await beginPass(host);
  await stepBegins(host, "install");
  await killManager(host, prey, random.below(latestKillMs));
  const status = await endOfPass(host);
  notEqual(lastPassId(host), before, "the pass left no record");
  const { outcome } = lastPass(host);
  expectNobodyBlamed(stage, version);
  // One that dies with all its work done has done it.
  if (outcome.kind === "moved") return "killed at its end";
  ok("fault" in outcome, `the pass tells nothing of the kill: ${tell(outcome)}`);
  equal(outcome.fault.code, "interrupted", tell(outcome));
  notEqual(status, 0);
  return `killed, ${outcome.kind}`;
}

/** Asked for, because what comes by itself may wait some minutes first. */
async function expectTriedAgain(stage: Stage, version: string): Promise<string> {
  const { host } = stage;
  const wanted = `${packageVersion(host, version)} installed`;
  let tries = 0;
  while ((await versionsIn(host)).join(", ") !== wanted && tries < mostTries) {
    tries += 1;
    const before = lastPassId(host);
    const { status } = await host.run(["svc-upgrade", "run", "--now"]);
    if ((await versionsIn(host)).join(", ") === wanted) expectHonest(stage, { installed: version, status }, before);
  }
  await expectWhole(host, version);
  await expectRunning(host, version);
  expectNobodyBlamed(stage, version);
  return tries === 1 ? "there after one more pass" : `there after ${tries} more passes`;
}

/** What another scenario has left rejected is none of this one's. */
function expectNobodyBlamed({ host }: Stage, version: string): void {
  const state = recordOf(host);
  const blamed = state.rejected.filter(({ served }) => served === version);
  deepEqual(blamed, [], "a version is blamed for the kill");
  expectNobodyCalled(state);
}

/** The version is bad, and remembered for that alone. */
async function killedBack(stage: Stage, prey: Prey, random: Random): Promise<string> {
  const { host } = stage;
  const target = await serveNext(stage, { start: "crashes" });
  const passBefore = lastPassId(host);
  await beginPass(host);
  await stepBegins(host, "back-install");
  await killManager(host, prey, random.below(latestKillMs));
  await endOfPass(host);
  const mended = await expectMended(stage, { target, version: "bad", left: recordOf(host).step, passBefore });
  const { rejected } = recordOf(host);
  deepEqual(
    rejected.map(({ served }) => served),
    [target],
    "the version that crashed is not remembered",
  );
  return mended;
}
