import { expect, test } from "vitest";
import type { Decision } from "../../../src/updater/plan/host-decision.ts";
import { rememberBreakdown } from "../../../src/updater/record/remember.ts";
import { emptyState, mostPasses, type Outcome, type PassRecord } from "../../../src/updater/record/state.ts";
import { failed, fault, stayed } from "./given.ts";

const stop: Decision = { kind: "stop", fault: fault("not-offered") };
const stopped: Outcome = { kind: "stopped", fault: fault("not-offered") };

function pass(startedAt: number, outcome: Outcome): PassRecord {
  const unknown = { installed: undefined, served: undefined, channel: undefined };
  return { id: "p", startedAt, seconds: 1, ...unknown, decision: stop, outcome, steps: [], recovered: undefined };
}

test.each<[Outcome, number]>([
  [stayed, 200],
  [stopped, 100],
  [failed("not-offered"), 100],
])("after a success at 100, a pass at 200 with the outcome %j leaves %i", (outcome, lastSuccessAt) => {
  expect(rememberBreakdown({ ...emptyState, lastSuccessAt: 100 }, pass(200, outcome))).toMatchObject({ lastSuccessAt });
});

test("a success is remembered longer than its pass", () => {
  let state = rememberBreakdown(emptyState, pass(100, stayed));
  for (let failures = 1; failures <= mostPasses; failures += 1) state = rememberBreakdown(state, pass(100 + failures, stopped));
  expect(state.passes.map(({ startedAt }) => startedAt)).not.toContain(100);
  expect(state.lastSuccessAt).toBe(100);
});
