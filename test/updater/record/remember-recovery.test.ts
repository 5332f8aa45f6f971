import { describe, expect, test } from "vitest";
import type { Previous } from "../../../src/updater/plan/host-facts.ts";
import { rememberRecovery, type EndedRecovery } from "../../../src/updater/record/remember-recovery.ts";
import {
  emptyState,
  type Cause,
  type Recovered,
  type State,
  type StepInHand,
  type StepName,
} from "../../../src/updater/record/state.ts";
import { doingIn, stepParts } from "../../../src/updater/record/steps.ts";
import type { PackageVersion } from "../../../src/rules/version/wrapped.ts";
import { cutOff, fault, now, old, other, packaged, previous, served } from "./given.ts";

const steps = Object.keys(stepParts) as StepName[];
const changing = steps.filter((step) => stepParts[step] !== "before");
const left: Previous = { version: old, packageVersion: "15.4.5-1" as PackageVersion, leftAt: now - 20 };
const waiting: State = {
  ...emptyState,
  previous,
  backoff: { served, cause: fault("not-offered"), failures: 1, until: now + 600 },
  needsOperator: { at: 1, why: "w" },
};

function ended(step: StepInHand, how: Recovered["ended"], more: Partial<EndedRecovery> = {}): (state: State) => State {
  const recovered = { step: step.step, served: step.served, ended: how };
  return (state) => rememberRecovery({ ...state, step }, step, { recovered, cause: undefined, failure: undefined, now, ...more });
}

const cause: Cause = { step: "health", fault: fault("unhealthy"), evidence: [] };
const rejected = { served, packageVersion: packaged, at: now, why: "it was unhealthy" };

describe("a pass that did not finish", () => {
  test.each(steps.filter((step) => !changing.includes(step)))(
    "at the step %s, before it changed anything, leaves no trace",
    (step) => {
      expect(ended(cutOff(step), "unchanged")(waiting)).toEqual(waiting);
    },
  );

  test.each(changing.flatMap((step) => (["unchanged", "undone"] as const).map((how) => [step, how] as const)))(
    "at the step %s, and that the next one left %s, is counted: twice towards a version calls for a person",
    (step, how) => {
      const again = ended(cutOff(step), how);
      const first = again(emptyState);
      expect(first).toEqual({ ...emptyState, cutOffs: { to: served, attempts: 1 } });
      expect(again(first)).toMatchObject({
        cutOffs: { to: served, attempts: 2 },
        needsOperator: { at: now, why: `2 passes did not finish the move to 15.4.6; the last one was ${doingIn[step](served)}` },
      });
      expect(ended(cutOff(step, { served: other }), how)(first)).toMatchObject({ needsOperator: undefined });
    },
  );

  test("and that the next one carried to its end is a move like any other", () => {
    const after = ended(cutOff("install"), "finished")(waiting);
    expect(after).toEqual({ ...waiting, step: undefined, backoff: undefined, previous: left });
    // However often that happens.
    expect(ended(cutOff("install"), "finished")(after).needsOperator).toEqual(waiting.needsOperator);
  });

  test.each<[string, Partial<StepInHand>]>([
    ["the same version", { from: "15.4.6-0" as PackageVersion }],
    ["nothing", { from: undefined, movement: "install" }],
    ["what cannot be named", { from: "2026-1" as PackageVersion }],
  ])("on its way from %s has left no version to go back to", (_, changes) => {
    expect(ended(cutOff("install", changes), "finished")(waiting).previous).toEqual(previous);
  });

  test("on its way down has left the higher version to go back to", () => {
    const step = cutOff("verify", { movement: "downgrade", served: other, to: previous.packageVersion });
    expect(ended(step, "finished")({ ...emptyState, previous }).previous).toEqual(left);
  });

  test("before its time was known left the version when its step began", () => {
    const step = cutOff("install", { changingSince: undefined });
    expect(ended(step, "finished")(waiting).previous?.leftAt).toBe(step.startedAt);
  });

  test.each(["finished", "unchanged", "undone"] as const)("while it repaired, and was left %s, counts as a repair", (how) => {
    const again = ended(cutOff("install", { movement: "repair", served: old, to: "15.4.5-1" as PackageVersion }), how);
    const second = again(again({ ...emptyState, previous }));
    expect(second).toMatchObject({ repair: { to: old, attempts: 2 }, cutOffs: undefined, needsOperator: undefined, previous });
  });

  test("while it came to the rescue has tried that, unless nothing was changed", () => {
    const step = cutOff("install", { why: "rescue" });
    for (const how of ["finished", "undone", "not-mended"] as const) expect(ended(step, how)(emptyState).rescuedFor).toBe(served);
    expect(ended(step, "unchanged")(emptyState).rescuedFor).toBeUndefined();
  });
});

describe("a rollback of an administrator that did not finish", () => {
  const back: Partial<StepInHand> = { movement: "downgrade", why: "rollback", served: other, to: previous.packageVersion };
  const rejectedLeft = { served: old, packageVersion: "15.4.5-1", at: now, why: "an administrator went back from it" };

  test("and carried to its end has left its version for good", () => {
    expect(ended(cutOff("install", back), "finished")(waiting)).toMatchObject({
      previous: undefined,
      rejected: [rejectedLeft],
      needsOperator: undefined,
      backoff: undefined,
    });
  });

  test("and not repaired still leads where it led", () => {
    expect(ended(cutOff("install", back), "not-mended")(waiting)).toMatchObject({ previous, rejected: [] });
  });
});

describe("a version that was taken back", () => {
  test("because it failed is rejected", () => {
    expect(ended(cutOff("back-install"), "undone", { cause })(waiting)).toEqual({
      ...waiting,
      step: undefined,
      backoff: undefined,
      rejected: [rejected],
    });
  });

  test.each<[string, Partial<StepInHand>, Cause]>([
    ["the agent had been ill before", { agentBefore: "unhealthy" }, cause],
    ["nobody knew how the agent was before", { agentBefore: undefined }, cause],
    ["the disk was full", {}, { ...cause, step: "install", fault: fault("no-space") }],
    ["its package was not known", { to: undefined }, cause],
  ])("is not rejected where %s, but waits", (_, changes, why) => {
    const after = ended(cutOff("back-install", changes), "undone", { cause: why })(emptyState);
    expect(after).toMatchObject({ rejected: [], backoff: { cause: why.fault, failures: 1 }, needsOperator: undefined });
  });
});

describe("a move that nothing repairs", () => {
  const failure = fault("way-back-failed");

  test("asks for an administrator, with all that is known, and the rollback leads to the version before", () => {
    const after = ended(cutOff("back-install"), "not-mended", { cause, failure })(emptyState);
    expect(after).toEqual({
      ...emptyState,
      rejected: [rejected],
      previous: left,
      needsOperator: { at: now, why: "on the way to 15.4.6: the step health failed: it was unhealthy; it was way-back-failed" },
    });
  });

  test("blames no version for what is not its fault", () => {
    const full: Cause = { ...cause, step: "install", fault: fault("no-space") };
    const after = ended(cutOff("back-install"), "not-mended", { cause: full, failure })(emptyState);
    expect(after).toMatchObject({
      rejected: [],
      needsOperator: { why: "on the way to 15.4.6: the step install failed: it was no-space; it was way-back-failed" },
    });
    const unknown = ended(cutOff("back-install"), "not-mended", { failure })(emptyState);
    expect(unknown).toMatchObject({ rejected: [], needsOperator: { why: "on the way to 15.4.6: it was way-back-failed" } });
  });

  test("blames no version that only did not finish", () => {
    const after = ended(cutOff("install"), "not-mended")(emptyState);
    expect(after).toMatchObject({
      rejected: [],
      needsOperator: undefined,
      cutOffs: { to: "15.4.6", attempts: 1 },
    });
  });
});
