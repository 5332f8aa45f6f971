import { expect, test } from "vitest";
import { giveBackPatch } from "../../../src/kube/objects/give-back.ts";
import { objectOf } from "./given.ts";

test("the updater's own entry is taken out, and no other", () => {
  expect(giveBackPatch(objectOf({ ownEntry: 2 }), "auto")).toEqual([
    { op: "test", path: "/metadata/uid", value: "11aa" },
    { op: "test", path: "/metadata/generation", value: 2 },
    { op: "test", path: "/metadata/managedFields/2/manager", value: "svc-kube-updater" },
    { op: "remove", path: "/metadata/managedFields/2" },
  ]);
});

test.each([
  ["there is none", {}, "auto"],
  ["a GitOps tool goes by it", { ownEntry: 0 }, "update"],
  ["a GitOps tool owns the object", { ownEntry: 0, gitOps: "argocd-controller" }, "auto"],
  ["it is suspended", { ownEntry: 0, skip: "true" }, "auto"],
] as const)("nothing is given back where %s", (_, changes, mode) => {
  expect(giveBackPatch(objectOf(changes), mode)).toBeUndefined();
});
