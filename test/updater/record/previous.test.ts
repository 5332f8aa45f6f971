import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FaultCode } from "../../../src/rules/fault/table.ts";
import { decide } from "../../../src/updater/plan/decide-host.ts";
import type { Move } from "../../../src/updater/plan/host-decision.ts";
import type { Facts, InstalledPackage, Previous } from "../../../src/updater/plan/host-facts.ts";
import { moveTakes, type Policy } from "../../../src/updater/plan/host-policy.ts";
import type { Movement } from "../../../src/updater/plan/target.ts";
import { memoryOf, rememberPass } from "../../../src/updater/record/remember.ts";
import { emptyState, type Outcome, type State, type StepName } from "../../../src/updater/record/state.ts";
import type { PackageVersion } from "../../../src/rules/version/wrapped.ts";
import type { Version } from "../../../src/rules/version/version.ts";
import { state as anyState } from "./arbitrary.ts";
import {
  backFailed,
  current,
  failed,
  moved,
  now,
  old,
  other,
  outside,
  pass,
  present,
  previous,
  repair,
  stayed,
  stuck,
  undone,
  upgrade,
} from "./given.ts";

const came: State = { ...emptyState, previous };
const left: Previous = { version: old, packageVersion: "15.4.5-1" as PackageVersion, leftAt: now };

function towards(target: Movement): Move {
  return { kind: "move", why: "window", told: "t", target };
}

describe("what a move leaves behind", () => {
  const downgrade = towards({ kind: "downgrade", from: old, to: other });
  test.each<[string, Move, Partial<Facts>, Previous]>([
    ["an upgrade is the version it came from", upgrade, {}, left],
    ["a downgrade is too", downgrade, {}, left],
    ["a repair is nothing new: what it came from was broken", repair, {}, previous],
    ["what cannot be named is nothing new", upgrade, { installed: { ...present(old), version: undefined } }, previous],
  ])("by %s", (_, decision, facts, expected) => {
    expect(rememberPass(came, pass(decision, moved, facts)).previous).toEqual(expected);
  });

  test.each<[string, Outcome, Previous]>([
    ["failed before anything changed is nothing new", failed("not-offered", "offer"), previous],
    ["failed as the package manager put everything back is nothing new", failed("install-failed", "install"), previous],
    ["failed, as did its rollback, is the version it came from", stuck("bug", "activate", backFailed), left],
    ["was undone is nothing new: that version is there again", undone("unhealthy", "health"), previous],
  ])("by one that %s", (_, outcome, expected) => {
    expect(rememberPass(came, pass(upgrade, outcome)).previous).toEqual(expected);
  });

  test("stays through passes that move nothing", () => {
    for (const decision of [current, outside]) expect(rememberPass(came, pass(decision, stayed)).previous).toBe(previous);
  });
});

const back: Move = { ...towards({ kind: "downgrade", from: old, to: other }), why: "rollback", exactly: previous.packageVersion };
const notAsked: Partial<Facts> = { answer: { kind: "not-asked" } };
const wentBack: Outcome = { kind: "moved", from: "15.4.5-1", to: "15.4.4-1", seconds: 9 };
const troubled: State = {
  ...came,
  needsOperator: { at: 1, why: "w" },
  repair: { to: old, attempts: 2, isNowhere: false },
  silentSince: 5,
  lastContact: { at: 2, served: old, isCritical: false },
};
const rejected = { served: old, packageVersion: "15.4.5-1", at: now, why: "an administrator went back from it" };

describe("a rollback", () => {
  test("rejects the package that it left, and leaves no call for an administrator and no second rollback", () => {
    expect(rememberPass(troubled, pass(back, wentBack, notAsked))).toMatchObject({
      previous: undefined,
      rejected: [rejected],
      needsOperator: undefined,
      repair: undefined,
      backoff: undefined,
      moveSeconds: [9],
    });
  });

  test("asked nobody: it neither ends a silence nor begins one, and what was served last stays known", () => {
    expect(rememberPass(troubled, pass(back, wentBack, notAsked))).toMatchObject({
      silentSince: 5,
      lastContact: troubled.lastContact,
    });
    expect(rememberPass(emptyState, pass(back, wentBack, notAsked)).silentSince).toBeUndefined();
  });

  test.each<[StepName, FaultCode]>([
    ["refresh", "refresh-failed"],
    ["install", "no-space"],
  ])("that fails at the step %s before anything changed leaves all as it was", (step, code) => {
    const after = rememberPass(troubled, pass(back, failed(code, step), notAsked));
    const { clock, agent, passes } = after;
    expect(after).toEqual({ ...troubled, repair: undefined, clock, agent, passes });
  });

  test("that fails at the step install can be tried again, and the version that it left is not gone back to", () => {
    const after = rememberPass(troubled, pass(back, stuck("install-failed", "install"), notAsked));
    const { clock, agent, passes } = after;
    expect(after).toEqual({ ...troubled, repair: undefined, clock, agent, passes, rejected: [rejected] });
  });

  test("that failed, and could not be taken back either, asks for an administrator", () => {
    const after = rememberPass(came, pass(back, stuck("install-failed", "install", backFailed), notAsked));
    expect(after).toMatchObject({
      rejected: [rejected],
      needsOperator: { at: now, why: expect.stringMatching(/it was install-failed; the rollback failed .*: it was no-space$/) },
    });
  });

  const repairTo = (from: Version | undefined): Move => ({
    ...back,
    target: { kind: "repair", from, to: other, why: "the package is only half installed" },
  });
  test.each<[string, Move, InstalledPackage, readonly object[]]>([
    ["from a half installed version rejects that", repairTo(old), present(old, "half-way"), [rejected]],
    ["that mends an earlier one which broke off rejects nothing", repairTo(other), present(other, "half-way"), []],
    ["from what cannot be named rejects nothing", repairTo(undefined), { ...present(old), version: undefined }, []],
  ])("%s", (_, decision, installed, rows) => {
    const after = rememberPass(troubled, pass(decision, wentBack, { ...notAsked, installed }));
    expect(after).toMatchObject({ rejected: rows, previous: undefined, needsOperator: undefined, repair: undefined });
  });
});

describe("after a rollback", () => {
  const policy: Policy = {
    asked: { when: "now", absent: "stop" },
    holds: "respect",
    hold: undefined,
    pin: undefined,
    window: undefined,
    blackouts: [],
    unscheduled: "anytime",
    downgrade: "allow",
    major: "any",
    moveTakes,
  };

  /** The facts of a later pass, which finds 15.4.4 and a channel that serves a version. */
  function later(state: State, version: Version): Facts {
    const answer = { kind: "served", served: { kind: "version", version }, isCritical: true } as const;
    return { ...pass(current, stayed).facts, installed: present(other), answer, memory: memoryOf(state, "running") };
  }

  test("the version that was left stays rejected while it is served, whatever was known before", () => {
    fc.assert(
      fc.property(anyState("plain"), (state) => {
        const after = rememberPass({ ...state, previous }, pass(back, wentBack, notAsked));
        const facts = later(after, old);
        const decision = decide(facts, policy);
        expect(decision).toMatchObject({ kind: "stay", why: "rejected", told: expect.stringContaining("went back from it") });
        const settled = rememberPass(after, pass(decision, stayed, facts));
        expect(decide(later(settled, old), policy)).toEqual(decision);
      }),
    );
  });
});
