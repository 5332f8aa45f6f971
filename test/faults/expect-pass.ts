import { equal, ok, partialDeepStrictEqual } from "node:assert/strict";
import type { FaultCode } from "../../src/rules/fault/table.ts";
import type { MoveReason, StayReason } from "../../src/updater/plan/host-decision.ts";
import type { NoRollback, Outcome, PassRecord, StepName } from "../../src/updater/record/state.ts";
import { expectStatus } from "./expect-status.ts";
import { expectHonest, tell } from "./honest.ts";
import { tick } from "./pass.ts";
import { lastPassId } from "./record.ts";
import type { Stage } from "./stage.ts";
import { expectRunning, expectWhole } from "./whole.ts";

const longestRunMs = 120_000;

export type Expected = {
  readonly status: number;
  /** What is not said may be anything. */
  readonly outcome: {
    readonly kind: Outcome["kind"];
    readonly step?: StepName;
    readonly fault?: { readonly code: FaultCode };
    readonly back?: { readonly kind: NoRollback["kind"] } | undefined;
  };
  readonly why?: StayReason | MoveReason;
  /** What is installed afterwards; unless said, what was. */
  readonly version?: string;
  readonly agent?: "runs" | "is ill";
};

/** One pass, with the end that is documented; and all that must hold after any pass. */
export async function expectPass(stage: Stage, expected: Expected): Promise<PassRecord> {
  const before = lastPassId(stage.host);
  return expectEnded(stage, { status: await tick(stage.host), before }, expected);
}

/** The same for a pass that was started otherwise. */
export async function expectEnded(
  stage: Stage,
  { status, before }: { readonly status: number; readonly before: string | undefined },
  { version = stage.current(), agent = "runs", ...expected }: Expected,
): Promise<PassRecord> {
  const { host } = stage;
  const pass = expectHonest(stage, { installed: version, status }, before);
  partialDeepStrictEqual({ status, ...pass.outcome }, { status: expected.status, ...expected.outcome });
  if (expected.why !== undefined) equal("why" in pass.decision ? pass.decision.why : undefined, expected.why);
  await expectWhole(host, version, stage.set);
  if (agent === "runs") await expectRunning(host, version, stage.set);
  await expectStatus(stage, status);
  return pass;
}

/** A pass that finds no reason to move, and says which. */
export function expectStay(stage: Stage, why: StayReason): Promise<PassRecord> {
  return expectPass(stage, { status: 0, outcome: { kind: "stayed" }, why });
}

/** A pass that is stopped before it could decide to move. */
export function expectStopped(stage: Stage, status: number, code: FaultCode): Promise<PassRecord> {
  return expectPass(stage, { status, outcome: { kind: "stopped", fault: { code } } });
}

type At = { readonly step: StepName; readonly code: FaultCode };

/** A move that fails before it has changed anything. */
export function expectFailed(stage: Stage, status: number, { step, code }: At): Promise<PassRecord> {
  return expectPass(stage, { status, outcome: { kind: "failed", step, fault: { code }, back: undefined } });
}

/** A move that fails and is taken back. */
export function expectUndone(stage: Stage, { step, code }: At): Promise<PassRecord> {
  return expectPass(stage, { status: 10, outcome: { kind: "undone", step, fault: { code } } });
}

/** The same for an agent that crashes: it may be gone before it counts as activated. */
export async function expectCrashUndone(stage: Stage): Promise<PassRecord> {
  const pass = await expectPass(stage, { status: 10, outcome: { kind: "undone" } });
  const { outcome } = pass;
  ok(outcome.kind === "undone" && crashes.includes(`${outcome.step} ${outcome.fault.code}`), tell(outcome));
  return pass;
}

const crashes: readonly string[] = ["activate activate-failed", "health unhealthy"];

/** A move to a version that is installed then and runs. */
export function expectMoved(stage: Stage, version: string): Promise<PassRecord> {
  return expectPass(stage, { status: 0, outcome: { kind: "moved" }, version });
}

/** The same for one that is asked for: it waits for nothing. */
export async function expectMovedNow(stage: Stage, version: string): Promise<PassRecord> {
  const before = lastPassId(stage.host);
  const { status } = await stage.host.run(["svc-upgrade", "run", "--now"], { timeoutMs: longestRunMs });
  return expectEnded(stage, { status, before }, { status: 0, outcome: { kind: "moved" }, version });
}

/** The same where it is a matter of the package manager in which step it shows, and in which words. */
export async function expectRefused(stage: Stage, codes: readonly FaultCode[]): Promise<PassRecord> {
  const before = lastPassId(stage.host);
  const status = await tick(stage.host);
  const pass = await expectEnded(stage, { status, before }, { status, outcome: { kind: "failed", back: undefined } });
  const { outcome } = pass;
  ok(outcome.kind === "failed" && codes.includes(outcome.fault.code), `it is ${tell(outcome)}, and not ${codes.join(" or ")}`);
  return pass;
}
