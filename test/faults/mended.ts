import { equal, ok } from "node:assert/strict";
import type { FaultCode } from "../../src/rules/fault/table.ts";
import type { PassRecord, State, StepInHand } from "../../src/updater/record/state.ts";
import { expectHonest, expectNobodyCalled, tell } from "./honest.ts";
import { tick } from "./pass.ts";
import { lastPassId, recordOf } from "./record.ts";
import type { Stage } from "./stage.ts";
import { expectRunning, expectWhole, versionsIn } from "./whole.ts";
import { expectStatus } from "./expect-status.ts";

/** What was going on when something was killed. */
export type Cut = {
  readonly target: string;
  /** A bad one may not stay. */
  readonly version: "good" | "bad";
  /** What the record had in hand afterwards. */
  readonly left: StepInHand | undefined;
  readonly passBefore: string | undefined;
};

/** The pass after a kill, or the one after that, must have the host in order. */
const mostPasses = 2;

/** Lets passes run until the host is in order, and says after how many it was. */
export async function expectMended(stage: Stage, cut: Cut): Promise<string> {
  for (let passes = 1; ; passes += 1) {
    const before = lastPassId(stage.host);
    const status = await tick(stage.host);
    // Also where the next one has to go on.
    await expectStatus(stage, status);
    try {
      await expectInOrder(stage, cut, { status, before });
      return passes === 1 ? "one pass" : `${passes} passes`;
    } catch (failure) {
      // A pass that says that all is well is believed: nobody looks again.
      if (passes === mostPasses || status === 0) throw failure;
    }
  }
}

type Pass = { readonly status: number; readonly before: string | undefined };

async function expectInOrder(stage: Stage, cut: Cut, { status, before }: Pass): Promise<void> {
  const { host, set } = stage;
  const found = (await versionsIn(host, set)).join(", ");
  const allowed = cut.version === "bad" ? [stage.current()] : [stage.current(), cut.target];
  const installed = allowed.find((version) => found === `${set.packageVersion(host, version)} installed`);
  ok(installed !== undefined, `installed is "${found}" and not ${allowed.join(" or ")}`);
  await expectWhole(host, installed, set);
  await expectRunning(host, installed, set);
  expectHonest(stage, { installed, status }, before);
  const state = recordOf(host);
  expectNobodyCalled(state);
  if (cut.version === "good") expectNobodyBlamed(state, cut);
  expectTold(state, cut);
}

/** Whoever ends a program, or takes the host down: the version that was on its way has nothing to do with it. */
function expectNobodyBlamed(state: State, { target, passBefore }: Cut): void {
  ok(!state.rejected.some(({ served }) => served === target), "a good version is rejected");
  for (const { outcome } of passesSince(state, passBefore)) {
    if (outcome.kind === "stayed" || outcome.kind === "moved") continue;
    ok(!versionsFaults.includes(outcome.fault.code), `a good version is blamed: ${tell(outcome)}`);
  }
}

const versionsFaults: readonly FaultCode[] = [
  "install-failed",
  "verify-failed",
  "activate-failed",
  "unhealthy",
  "way-back-failed",
];

/** A move that was left in the middle is told of by the pass that ended it, and truly. */
function expectTold(state: State, { target, left, passBefore, version }: Cut): void {
  const since = passesSince(state, passBefore);
  if (left !== undefined) {
    const recovering = since.find(({ recovered }) => recovered !== undefined);
    ok(recovering?.recovered !== undefined, `no pass tells that one before it was cut off at ${left.step}`);
    equal(recovering.recovered.served, left.served);
    ok(recovering.recovered.ended !== "not-mended", `a pass could not mend what was cut off at ${left.step}`);
  }
  const wasUndone = since.some(({ outcome, recovered }) => outcome.kind === "undone" || recovered?.ended === "undone");
  if (version === "bad" && wasUndone) {
    ok(
      state.rejected.some(({ served }) => served === target),
      "the bad version was undone, and is not remembered",
    );
  }
}

function passesSince({ passes }: State, id: string | undefined): readonly PassRecord[] {
  const end = passes.findIndex((pass) => pass.id === id);
  return end === -1 ? passes : passes.slice(0, end);
}
