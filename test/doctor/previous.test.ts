import { describe, expect, test } from "vitest";
import { examinePrevious, type PreviousScene } from "../../src/doctor/previous.ts";
import { installed, packageVersion, settings } from "../pass/given.ts";
import { examiner } from "./given.ts";

const scene: PreviousScene = {
  settings: settings(),
  installed: installed("15.4.5-1"),
  examiner: examiner(),
  offers: [packageVersion("15.4.6-1"), packageVersion("15.4.5-1")],
};

describe("the way back", () => {
  test.each<readonly [string, Partial<PreviousScene>, string, RegExp]>([
    ["is there while a repository offers what is installed", {}, "ok", /still offers svc-ent 15\.4\.5-1/],
    ["is gone with it", { offers: [packageVersion("15.4.5-2")] }, "warning", /no way back to it$/],
    [
      "is an admin's alone where only the cache has it",
      { offers: [], examiner: examiner({ isCached: (name, version) => name === "svc-ent" && version === "15.4.5-1" }) },
      "warning",
      /its package lies in the cache/,
    ],
    ["is not asked for where the settings say so", { offers: [], settings: settings({ keep_previous: "never" }) }, "ok", /never/],
    ["leads nowhere where nothing is installed", { installed: { kind: "absent" } }, "skipped", /not installed/],
  ])("%s", (_title, changes, verdict, told) => {
    const finding = examinePrevious({ ...scene, ...changes });
    expect(finding.verdict).toBe(verdict);
    expect(finding.told).toMatch(told);
    expect(finding.fix).toBe(verdict === "warning" ? "look up svc-ent" : undefined);
  });
});
