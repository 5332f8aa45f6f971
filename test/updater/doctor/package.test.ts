import { describe, expect, test } from "vitest";
import { examinePackage } from "../../../src/updater/doctor/package.ts";
import type { InstalledPackage } from "../../../src/updater/plan/host-facts.ts";
import { installed, settings } from "../pass/given.ts";
import { detected, remedies } from "./given.ts";

describe("the agent's package", () => {
  test.each<readonly [string, InstalledPackage, string, string | undefined, object]>([
    ["is well", installed("15.4.5-1"), "ok", undefined, {}],
    ["is not installed", { kind: "absent" }, "failed", "sudo svc-upgrade run --now --install", {}],
    ["is half installed", installed("15.4.5-1", { condition: "half-way" }), "failed", "mend", {}],
    ["has a version that is none", installed("2026w47"), "failed", "look up svc-ent", {}],
    ["is held", installed("15.4.5", { isHeld: true }), "warning", "unhold svc-ent", {}],
    ["is held in vain", installed("15.4.5", { isHeld: true }), "ok", undefined, { holds: "override" }],
  ])("%s", (_title, found, verdict, fix, values) => {
    const finding = examinePackage({ settings: settings(values), detected: detected({ installed: found }), remedies });
    expect([finding.verdict, finding.fix]).toEqual([verdict, fix]);
  });
});
