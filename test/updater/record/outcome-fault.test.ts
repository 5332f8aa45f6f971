import { expect, test } from "vitest";
import { faultOfOutcome } from "../../../src/updater/record/outcome-fault.ts";
import type { Outcome } from "../../../src/updater/record/state.ts";
import { backFailed, failed, fault, moved, stayed, stoppedBusy, stuck, undone } from "./given.ts";

test.each<[string, Outcome, string | undefined]>([
  ["a stay", stayed, undefined],
  ["a move", moved, undefined],
  ["a stop", stoppedBusy, "busy"],
  ["a failure before anything changed", failed("not-offered", "offer"), "not-offered"],
  ["a failure without a rollback", stuck("unhealthy", "health"), "unhealthy"],
  ["a rollback", undone("unhealthy", "health"), "unhealthy"],
  ["a rollback that failed", stuck("unhealthy", "health", backFailed), "way-back-failed"],
])("%s answers with the fault that leaves the host worst", (_, outcome, code) => {
  expect(faultOfOutcome(outcome)?.code).toBe(code);
});

test("a file system that took no writes, both ways, is told as such: nobody has to come", () => {
  const back = { kind: "failed", step: "back-install", fault: fault("read-only") } as const;
  expect(faultOfOutcome(stuck("read-only", "install", back))).toEqual(fault("read-only"));
});

test("a rollback that failed is told with both faults, and the hint of the second", () => {
  expect(faultOfOutcome(stuck("unhealthy", "health", backFailed))).toEqual({
    code: "way-back-failed",
    message: "the step health failed: it was unhealthy; the rollback failed at the step back-install: it was no-space",
    hint: "h; then `svc-upgrade retry`",
    causes: ["it was unhealthy", "it was no-space"],
  });
});
