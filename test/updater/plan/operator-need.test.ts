import { describe, expect, test } from "vitest";
import { isCallOver, type AtServed } from "../../../src/updater/plan/operator-need.ts";
import { packageVersion, version } from "../../rules/version/given.ts";
import { now } from "./given.ts";

const there: AtServed["installed"] = {
  kind: "present",
  packageVersion: packageVersion("15.4.5"),
  version: version("15.4.5"),
  condition: "whole",
  isHeld: false,
};
const failed = { served: version("15.4.5"), packageVersion: packageVersion("15.4.5"), at: now, why: "it was ill" };
const other = { ...failed, packageVersion: packageVersion("15.4.6") };

describe("a call for an administrator", () => {
  test.each<[string, boolean, Partial<AtServed>]>([
    ["is over with an agent that runs", true, {}],
    ["is over whatever else failed here", true, { rejected: [other] }],
    ["is over where nothing is installed", true, { installed: { kind: "absent" }, rejected: [failed] }],
    ["is not over with an agent that is ill", false, { agent: "unhealthy" }],
    ["is not over with the version that failed here", false, { rejected: [other, failed] }],
  ])("%s", (_title, isOver, known) => {
    expect(isCallOver({ agent: "running", installed: there, rejected: [], ...known })).toBe(isOver);
  });
});
