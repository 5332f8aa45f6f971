import { equal, notEqual, ok } from "node:assert/strict";
import { exitStatus } from "../../src/rules/fault/explain.ts";
import type { Outcome, PassRecord, State } from "../../src/updater/record/state.ts";
import { recordOf } from "./record.ts";
import type { Stage } from "./stage.ts";

/** What a pass left: the version that is installed now, and how its unit ended. */
export type Ended = { readonly installed: string; readonly status: number };

/** The record is of a pass after that one, in no step any more, and says of the host and of its end what is true. */
export function expectHonest(stage: Stage, { installed, status }: Ended, passBefore: string | undefined): PassRecord {
  const state = recordOf(stage.host);
  const [pass] = state.passes;
  ok(pass !== undefined, "no pass was recorded");
  notEqual(pass.id, passBefore, "the pass left no record");
  equal(state.step, undefined, `a step is still in hand: ${state.step?.step}`);
  equal(status, statusOf(pass), `the exit status belongs to another outcome than ${tell(pass.outcome)}`);
  const told = versionToldBy(stage, pass);
  if (told !== undefined)
    equal(stage.set.packageVersion(stage.host, installed), told, `the record tells of another version: ${tell(pass.outcome)}`);
  return pass;
}

/** Nobody is called, unless it is said why and a person could do something about it. */
export function expectNobodyCalled({ needsOperator }: State): void {
  equal(needsOperator, undefined, `a person is called: ${needsOperator?.why}`);
}

/** The package version that this pass says is there after it; undefined where it says nothing of that. */
function versionToldBy({ host, set }: Stage, { outcome, installed, recovered }: PassRecord): string | undefined {
  const found = installed === undefined ? undefined : set.packageVersion(host, installed);
  switch (outcome.kind) {
    case "moved":
    case "undone":
      return outcome.to;
    case "stayed":
      return found;
    case "stopped":
      // It may have repaired something before it was stopped, and looked at the host only once.
      return recovered === undefined ? found : undefined;
    case "failed":
      return outcome.back === undefined ? found : undefined;
  }
}

/** As docs/reasons-and-faults.md promises it: 10 is "failed and undone", 11 "failed and not undone". */
function statusOf({ outcome, recovered }: PassRecord): number {
  switch (outcome.kind) {
    case "stayed":
    case "moved":
      return recovered?.ended === "undone" ? 10 : 0;
    case "stopped":
      return exitStatus(outcome.fault.code);
    case "undone":
      return 10;
    case "failed":
      return outcome.back === undefined ? exitStatus(outcome.fault.code) : 11;
  }
}

export function tell(outcome: Outcome): string {
  switch (outcome.kind) {
    case "stayed":
      return "stayed";
    case "moved":
      return `moved to ${outcome.to}`;
    case "stopped":
      return `stopped: ${outcome.fault.code}: ${outcome.fault.message}`;
    case "failed":
      return `failed at ${outcome.step}: ${outcome.fault.code}: ${outcome.fault.message}; back: ${outcome.back?.kind}`;
    case "undone":
      return `undone to ${outcome.to} after ${outcome.step}: ${outcome.fault.code}`;
  }
}
