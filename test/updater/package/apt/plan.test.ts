import { describe, expect, test } from "vitest";
import { parsePlan, unrelatedTo } from "../../../../src/updater/package/apt/plan.ts";
import { saved } from "../saved.ts";

describe("what a simulation says", () => {
  test("a dependency belongs to the package, a virtual one too; a bystander does not", () => {
    const plan = parsePlan(saved("simulate-others.txt"));
    expect(plan.installed.map(({ name }) => name)).toEqual(["bystander", "libnew", "provider", "svc-ent"]);
    expect(unrelatedTo("svc-ent", plan, saved("control-others.txt"))).toEqual(["bystander"]);
  });

  test("a dependency's dependency belongs to it as well", () => {
    const control = [
      "Package: svc-ent\nDepends: a (>= 1) | b, c:any",
      "Package: b\nPre-Depends: deep",
      "Package: c\nDescription: x\n Depends: stranger",
      "Package: deep",
      "Package: stranger",
    ].join("\n\n");
    const installed = ["svc-ent", "b", "c", "deep", "stranger"].map((name) => ({ name, version: "1", architecture: "all" }));
    expect(unrelatedTo("svc-ent", { installed, removed: [] }, control)).toEqual(["stranger"]);
  });

  test.each([
    ["needs one version of it and no other", "Depends: other, svc-ent (= 2)", true],
    ["needs one version of it in its architecture", "Pre-Depends: svc-ent:any (= 2), other", true],
  ])("a package that %s moves along with it, or not", (_how, fields, isRelated) => {
    const control = `Package: svc-ent\nVersion: 2\n\nPackage: tool\n${fields}\n`;
    const installed = ["svc-ent", "tool"].map((name) => ({ name, version: "2", architecture: "all" }));
    expect(unrelatedTo("svc-ent", { installed, removed: [] }, control)).toEqual(isRelated ? [] : ["tool"]);
  });

  test.each([
    ["Inst a (1 x)", { installed: [{ name: "a", version: "1", architecture: undefined }], removed: [] }],
    ["Purg old-one [1.0]", { installed: [], removed: ["old-one"] }],
  ])("reads %j", (line, plan) => {
    expect(parsePlan(line)).toEqual(plan);
  });
});
