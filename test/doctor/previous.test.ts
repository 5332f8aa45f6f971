import { describe, expect, test } from "vitest";
import { examinePrevious, type PreviousScene } from "../../src/doctor/previous.ts";
import type { KeptPackage } from "../../src/record/state.ts";
import type { Settings } from "../../src/settings/settings.ts";
import { installed, packageVersion, settings } from "../pass/given.ts";
import { examiner } from "./given.ts";

const scene: PreviousScene = {
  settings: settings(),
  installed: installed("15.4.5-1"),
  examiner: examiner(),
  offers: [packageVersion("15.4.6-1"), packageVersion("15.4.5-1")],
  kept: [],
  fragment: "/etc/svc-upgrade/60-keep-previous.yaml",
};

const required: Settings = { ...settings(), keepPrevious: "require" };

function kept(text: string): KeptPackage {
  return { packageVersion: packageVersion(text), file: `svc-ent_${text}_all.deb`, sha256: "0", bytes: 1 };
}

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
    [
      "is there where the package of what is installed is kept, whatever the repositories offer",
      { offers: [], kept: [kept("15.4.6-1"), kept("15.4.5-1")] },
      "ok",
      /is kept, so there is a way back to it, also without the network$/,
    ],
    [
      "is not there for a kept package of another version",
      { offers: [], kept: [kept("15.4.4-1")] },
      "warning",
      /no way back to it$/,
    ],
    ["is there where it is required and kept", { offers: [], kept: [kept("15.4.5-1")], settings: required }, "ok", /is kept/],
    ["is there where it is required and offered", { settings: required }, "ok", /still offers/],
    ["leads nowhere where nothing is installed", { installed: { kind: "absent" } }, "skipped", /not installed/],
  ])("%s", (_title, changes, verdict, told) => {
    const finding = examinePrevious({ ...scene, ...changes });
    expect(finding.verdict).toBe(verdict);
    expect(finding.told).toMatch(told);
    expect(finding.fix).toBe(verdict === "warning" ? "look up svc-ent" : undefined);
  });

  test("fails where it is required and cannot be had, with what would let things move", () => {
    expect(examinePrevious({ ...scene, settings: required, offers: [] })).toEqual({
      verdict: "failed",
      told: expect.stringMatching(/^no repository offers .* any more, and keep_previous: require lets nothing move without/),
      fix: "echo 'keep_previous: prefer' | sudo tee /etc/svc-upgrade/60-keep-previous.yaml",
    });
  });
});
