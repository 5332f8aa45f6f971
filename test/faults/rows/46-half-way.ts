import { equal } from "node:assert/strict";
import { emptyCaches, installPackage, refreshLists, tryInstall } from "../../system/lab/package-tools.ts";
import { expectMoved, expectPass, expectStay } from "../expect-pass.ts";
import { dpkgStates, rpmKinds, triggerStates, withoutBinary, type HalfWay } from "../half-way.ts";
import { tick } from "../pass.ts";
import { lastPass, recordOf } from "../record.ts";
import { inEachFamily, onApt, onRpm, type Row, type Scenario } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { serve, withSettings } from "../staging.ts";
import { expectWhole } from "../whole.ts";

const served = ["same", "newer", "older"] as const;
type Which = (typeof served)[number];

/** Every half-way state of the database, and whatever is served meanwhile. */
export const everyHalfWay: Row = {
  scenarios: [
    ...each([...dpkgStates, withoutBinary], (state, which) => onApt(46, told(state, which), putBack(state, which))),
    ...each([...rpmKinds, withoutBinary], (state, which) => onRpm(46, told(state, which), putBack(state, which))),
    ...each(triggerStates, (state, which) => onApt(46, told(state, which), leftAlone(state, which))),
    ...dpkgStates.flatMap((state) => onApt(46, `${state.name}, and no package is kept`, fromRepository(state))),
    ...onRpm(46, "its last script failed by an admin's hand: it is whole, and stays", failedPost),
    ...inEachFamily(46, "removed by an admin, its configuration left or not: it is absent, and stays so", absent),
  ],
  unstaged: [],
};

function each(states: readonly HalfWay[], play: (state: HalfWay, which: Which) => readonly Scenario[]): readonly Scenario[] {
  return states.flatMap((state) => served.flatMap((which) => play(state, which)));
}

function told({ name }: HalfWay, which: Which): string {
  return `${name}, ${which} version served`;
}

/** A repair never changes the version: where another one is served, that is the next pass's. */
function putBack({ bring }: HalfWay, which: Which): Scenario["play"] {
  return async (stage) => {
    const version = await bring(stage);
    const target = await serveWhich(stage, which, version);
    await expectMoved(stage, version);
    await expectNext(stage, { which, version, target });
  };
}

async function serveWhich(stage: Stage, which: Which, version: string): Promise<string> {
  const target = { same: () => version, newer: () => stage.publish(), older: () => "15.4.0" }[which];
  const to = await target();
  serve(stage, to);
  return to;
}

type Next = { readonly which: Which; readonly version: string; readonly target: string };

async function expectNext(stage: Stage, { which, version, target }: Next): Promise<void> {
  if (which === "newer") await expectMoved(stage, target);
  else {
    const why = which === "same" ? "current" : "downgrade-refused";
    await expectPass(stage, { status: 0, outcome: { kind: "stayed" }, why, version });
  }
}

/** No repair, and no pass that takes the task of another package for a failure of this one. */
function leftAlone({ bring }: HalfWay, which: Which): Scenario["play"] {
  return async (stage) => {
    const { host } = stage;
    await bring(stage);
    const target = await serveWhich(stage, which, stage.current());
    if (which === "newer") return void (await expectMoved(stage, target));
    equal(await tick(host), 0);
    equal(lastPass(host).outcome.kind, "stayed");
    await host.mustRun(["dpkg", "--configure", "-a"]);
    await expectWhole(host, stage.current());
  };
}

/** Neither in the updater's own directory nor in the cache of the package manager. */
function fromRepository({ bring }: HalfWay): Scenario["play"] {
  return async (stage) => {
    for (const settings of ["keep_previous: prefer\n", "keep_previous: never\n"]) {
      await bring(stage);
      serve(stage, stage.current());
      await stage.host.mustRun(["sh", "-c", "rm -rf /var/lib/svc-upgrade/packages/*"]);
      await emptyCaches(stage.host);
      await withSettings(stage, settings, () => expectMoved(stage, stage.current()));
      await expectStay(stage, "current");
    }
  };
}

/** Its files are there, and rpm calls it installed. */
async function failedPost(stage: Stage): Promise<void> {
  const { host } = stage;
  const version = await stage.publish({ scripts: "failing" });
  await refreshLists(host);
  await tryInstall(host, "svc-ent", version);
  await host.mustRun(["systemctl", "restart", "svc.service"]);
  serve(stage, version);
  await expectPass(stage, { status: 0, outcome: { kind: "stayed" }, why: "current", version });
}

async function absent(stage: Stage): Promise<void> {
  const { host } = stage;
  const removals = { apt: ["--remove", "--purge"], yum: ["--erase"], zypper: ["--erase"] }[host.family];
  for (const how of removals) {
    await host.mustRun([host.family === "apt" ? "dpkg" : "rpm", how, "svc-ent"]);
    serve(stage, stage.current());
    equal(await tick(host), 69);
    const { outcome } = lastPass(host);
    equal(outcome.kind === "stopped" ? outcome.fault.code : outcome.kind, "package-absent");
    equal(recordOf(host).needsOperator, undefined);
    await installPackage(host, "svc-ent", stage.current());
    await host.mustRun(["systemctl", "enable", "--now", "--quiet", "svc.service"]);
  }
}
