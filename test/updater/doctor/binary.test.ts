import { describe, expect, test } from "vitest";
import { judgeBinary } from "../../../src/updater/doctor/package.ts";
import type { Binary, InstalledPackage } from "../../../src/updater/plan/host-facts.ts";
import { installed, version } from "../pass/given.ts";

describe("the agent's binary", () => {
  test.each<readonly [string, Binary, InstalledPackage, string]>([
    ["says what its package says", { kind: "answers", version: version("15.4.5") }, installed("15.4.5-1"), "ok"],
    ["does not run", { kind: "broken", why: "it dies of SIGSEGV" }, installed("15.4.5"), "failed"],
    ["is of no package", { kind: "missing" }, { kind: "absent" }, "skipped"],
    ["is of half a package", { kind: "missing" }, installed("15.4.5", { condition: "half-way" }), "skipped"],
  ])("%s", (_title, binary, found, verdict) => {
    const finding = judgeBinary(binary, found);
    expect([finding.verdict, finding.fix]).toEqual([verdict, verdict === "failed" ? "sudo svc-upgrade run --now" : undefined]);
  });

  test("that this user may not execute is told from one that nobody wants to be asked", () => {
    const closed = judgeBinary({ kind: "not-asked", why: "no permission to execute /svc" }, installed("15.4.5"));
    expect(closed.told).toBe("no permission to execute /svc: the package database alone is believed");
    expect(judgeBinary({ kind: "not-asked" }, installed("15.4.5")).told).toContain("no agent.version_command");
  });
});
