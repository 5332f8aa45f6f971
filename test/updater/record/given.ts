import type { FaultData } from "../../../src/rules/fault/fault.ts";
import type { FaultCode } from "../../../src/rules/fault/table.ts";
import type { Decision, Move, Stay } from "../../../src/updater/plan/host-decision.ts";
import type { Facts, InstalledPackage, Previous } from "../../../src/updater/plan/host-facts.ts";
import type { FinishedPass } from "../../../src/updater/record/finished-pass.ts";
import { memoryOf } from "../../../src/updater/record/remember.ts";
import {
  emptyState,
  type NoRollback,
  type Outcome,
  type PassRecord,
  type StepInHand,
  type StepName,
} from "../../../src/updater/record/state.ts";
import type { PackageVersion } from "../../../src/rules/version/wrapped.ts";
import type { Version } from "../../../src/rules/version/version.ts";

export const now = 100_000;
export const old = "15.4.5" as Version;
export const served = "15.4.6" as Version;
export const other = "15.4.4" as Version;
export const packaged = "15.4.6-1" as PackageVersion;

/** What a host at 15.4.5 left behind when it came from 15.4.4. */
export const previous: Previous = { version: other, packageVersion: "15.4.4-1" as PackageVersion, leftAt: 1 };

export const current: Stay = { kind: "stay", why: "current", told: "t" };
export const outside: Stay = { kind: "stay", why: "outside-window", told: "t" };
export const upgrade: Move = { kind: "move", why: "window", told: "t", target: { kind: "upgrade", from: old, to: served } };
export const rescue: Move = { ...upgrade, why: "rescue" };
export const repair: Move = {
  kind: "move",
  why: "window",
  told: "t",
  target: { kind: "repair", from: old, to: old, why: "w" },
};
/** What a repair finds. */
export const damaged: Partial<Facts> = { binary: { kind: "missing" } };
export const stayed: Outcome = { kind: "stayed" };
export const stoppedBusy: Outcome = { kind: "stopped", fault: { code: "busy", message: "m", hint: "h", causes: [] } };
export const moved: Outcome = { kind: "moved", from: old, to: packaged, seconds: 30 };

export function fault(code: FaultCode): FaultData {
  return { code, message: `it was ${code}`, hint: "h", causes: [] };
}

/** Before anything was changed. */
export function failed(code: FaultCode, step: StepName = "install"): Outcome {
  return { kind: "failed", step, fault: fault(code), evidence: [], back: undefined };
}

export const notTried: NoRollback = { kind: "not-tried", why: "the package of 15.4.5-1 is not at hand" };
export const backFailed: NoRollback = { kind: "failed", step: "back-install", fault: fault("no-space") };

/** The package was changed, and was not brought back. */
export function stuck(code: FaultCode, step: StepName, back: NoRollback = notTried): Outcome {
  return { kind: "failed", step, fault: fault(code), evidence: ["svc: bad configuration"], back };
}

/** The package was changed, and 15.4.5 is back. */
export function undone(code: FaultCode, step: StepName): Outcome {
  return { kind: "undone", left: packaged, to: "15.4.5-1", seconds: 60, step, fault: fault(code), evidence: [] };
}

/** What a pass on its way from 15.4.5 to 15.4.6 had in hand and did not finish. */
export function cutOff(step: StepName, changes: Partial<StepInHand> = {}): StepInHand {
  return {
    pass: "p",
    step,
    movement: "upgrade",
    why: "window",
    startedAt: now - 10,
    served,
    from: "15.4.5-1" as PackageVersion,
    to: packaged,
    agentBefore: "running",
    changingSince: now - 20,
    hold: "none",
    cause: undefined,
    recoveries: 1,
    done: [],
    ...changes,
  };
}

/** The agent as it was found: whole, at a version in its first package. */
export function present(version: Version, condition: "whole" | "half-way" = "whole"): InstalledPackage {
  return { kind: "present", packageVersion: `${version}-1` as PackageVersion, version, condition, isHeld: false };
}

export function pass(decision: Decision, outcome: Outcome, facts: Partial<Facts> = {}): FinishedPass {
  const about = { id: "p", startedAt: now, seconds: 3, installed: old, served, channel: "default" };
  const record: PassRecord = { ...about, decision, outcome, steps: [], recovered: undefined };
  return {
    record,
    facts: {
      now,
      clock: { kind: "plausible" },
      installed: present(old),
      binary: { kind: "not-asked" },
      answer: { kind: "served", served: { kind: "version", version: served }, isCritical: false },
      offered: undefined,
      schedule: { kind: "missing" },
      agent: "running",
      memory: memoryOf(emptyState, facts.agent ?? "running"),
      ...facts,
    },
    clock: { now, sinceBootSeconds: 50, bootId: "b", isSynchronised: false },
    unit: { bootId: "b", restarts: 2 },
    installing: packaged,
    agentBefore: facts.agent ?? "running",
  };
}
