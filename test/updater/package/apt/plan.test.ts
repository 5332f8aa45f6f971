import { describe, expect, test } from "vitest";
import { parsePlan, unrelatedTo } from "../../../../src/updater/package/apt/plan.ts";
import { saved } from "../saved.ts";

describe("what a simulation says", () => {
  test("an upgrade touches the package alone", () => {
    expect(parsePlan(saved("simulate-up.txt"))).toEqual({
      installed: [{ name: "svc-ent", version: "15.4.6-1", architecture: "all" }],
      removed: [],
    });
  });

  test("a removal is named", () => {
    expect(parsePlan(saved("simulate-remove.txt")).removed).toEqual(["svc-tool"]);
  });

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
    ["pre-depends on one version of it", "Pre-Depends: svc-ent (= 2)", true],
    ["pre-depends on one version of it, and depends on others", "Pre-Depends: svc-ent (= 2), other\nDepends: deep", true],
    ["needs one version of it in its architecture", "Pre-Depends: svc-ent:any (= 2), other", true],
    ["is content with others of its versions", "Pre-Depends: svc-ent (>= 2)\nDepends: svc-ent (<< 3)", false],
    ["is content with another package", "Pre-Depends: svc-ent (= 2) | other", false],
    ["needs one version of something else", "Pre-Depends: deep (= 2)", false],
    ["merely recommends it", "Recommends: svc-ent (= 2)", false],
  ])("a package that %s moves along with it, or not", (_how, fields, isRelated) => {
    const control = `Package: svc-ent\nVersion: 2\n\nPackage: tool\n${fields}\n`;
    const installed = ["svc-ent", "tool"].map((name) => ({ name, version: "2", architecture: "all" }));
    expect(unrelatedTo("svc-ent", { installed, removed: [] }, control)).toEqual(isRelated ? [] : ["tool"]);
  });

  test("knows nothing about packages without their control data", () => {
    expect(unrelatedTo("svc-ent", parsePlan(saved("simulate-others.txt")), "")).toEqual(["bystander", "libnew", "provider"]);
  });

  test.each([
    [
      "Inst svc-ent:arm64 [1] (2 Debian:12/stable [arm64])",
      { installed: [{ name: "svc-ent", version: "2", architecture: "arm64" }], removed: [] },
    ],
    ["Inst a (1)", { installed: [], removed: [] }],
    ["Inst a (1 x)", { installed: [{ name: "a", version: "1", architecture: undefined }], removed: [] }],
    ["Purg old-one [1.0]", { installed: [], removed: ["old-one"] }],
    ["Conf svc-ent (2 x [all])\nE: nothing", { installed: [], removed: [] }],
  ])("reads %j", (line, plan) => {
    expect(parsePlan(line)).toEqual(plan);
  });
});
