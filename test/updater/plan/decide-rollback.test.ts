import { describe, expect, test } from "vitest";
import { faultTable, type FaultCode } from "../../../src/rules/fault/table.ts";
import { isReadOnlyBothWays, isVersionsFault, whyNoRollback } from "../../../src/updater/plan/decide-rollback.ts";
import type { AgentCondition } from "../../../src/updater/plan/host-facts.ts";

const codes = Object.keys(faultTable) as FaultCode[];
const always: readonly FaultCode[] = ["install-failed", "verify-failed"];
const byTheAgent: readonly FaultCode[] = ["activate-failed", "unhealthy"];
const conditions: readonly (AgentCondition | undefined)[] = ["running", "unhealthy", "stopped", "unknown", undefined];

describe("a version is to blame", () => {
  test.each(codes)("for %s only where it can be", (code) => {
    for (const agentBefore of conditions) {
      const isBlamed = always.includes(code) || (byTheAgent.includes(code) && agentBefore === "running");
      for (const movement of ["install", "upgrade", "downgrade"] as const) {
        expect([movement, agentBefore, isVersionsFault({ movement, code, agentBefore })]).toEqual([
          movement,
          agentBefore,
          isBlamed,
        ]);
      }
    }
  });
});

test.each<[FaultCode, FaultCode, boolean]>([
  ["read-only", "read-only", true],
  ["unhealthy", "read-only", false],
  ["read-only", "no-space", false],
])("%s forth and %s back heals once it is writable: %s", (change, back, heals) => {
  expect(isReadOnlyBothWays(change, back)).toBe(heals);
});

type FailedChange = Parameters<typeof whyNoRollback>[0];
const failed: FailedChange = {
  movement: "upgrade",
  code: "unhealthy",
  agentBefore: "running",
  reason: "window",
  isWhole: true,
};

test.each<[string, Partial<FailedChange>, string | undefined]>([
  ["an upgrade after which the agent is unhealthy", {}, undefined],
  ["a package that broke in pieces", { code: "no-space", isWhole: false }, undefined],
  ["an installation", { movement: "install" }, "before an installation there is nothing to go back to"],
  ["a repair", { movement: "repair" }, "before a repair there is nothing to go back to"],
  ["a rollback", { reason: "rollback", isWhole: false }, "it was itself a rollback"],
  ["a full disk", { code: "no-space" }, "the version is not to blame"],
  ["an agent that was ill before", { agentBefore: "unhealthy" }, "the agent was unhealthy before the move either"],
])("%s is rolled back, or not and why", (_what, values, why) => {
  expect(whyNoRollback({ ...failed, ...values })).toBe(why);
});
