import { expect, test } from "vitest";
import { doingIn, stepParts } from "../../../src/updater/record/steps.ts";
import { version } from "../../rules/version/given.ts";

const steps = Object.keys(stepParts) as readonly (keyof typeof stepParts)[];

test.each(steps)("what a pass does at %s is told with the version, and says where it rolls back", (step) => {
  const told = doingIn[step](version("15.4.6"));
  expect(told).toContain("15.4.6");
  expect(told.startsWith("rolling back from 15.4.6: ")).toBe(stepParts[step] === "back");
});

test("no two steps are told alike", () => {
  expect(new Set(steps.map((step) => doingIn[step](version("15.4.6")))).size).toBe(steps.length);
});
