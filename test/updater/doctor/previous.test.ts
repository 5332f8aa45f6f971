import { describe, expect, test } from "vitest";
import { examinePrevious, type AlongScene, type PreviousScene } from "../../../src/updater/doctor/previous.ts";
import type { KeptPackage } from "../../../src/updater/record/state.ts";
import type { PackageName, Settings } from "../../../src/rules/settings/settings.ts";
import { installed, packageVersion, settings } from "../pass/given.ts";
import { examiner } from "./given.ts";

const scene: PreviousScene = {
  settings: settings(),
  installed: installed("15.4.5-1"),
  examiner: examiner(),
  offers: [packageVersion("15.4.6-1"), packageVersion("15.4.5-1")],
  kept: [],
  along: [],
  fragment: "/etc/svc-upgrade/60-keep-previous.yaml",
};

const required: Settings = { ...settings(), keepPrevious: "require" };

function kept(text: string): KeptPackage {
  return { packageVersion: packageVersion(text), file: `svc-ent_${text}_all.deb`, sha256: "0", bytes: 1 };
}

const never: Settings = { ...settings(), keepPrevious: "never" };

function adds(...names: readonly string[]): readonly AlongScene[] {
  return names.map((name) => ({ name: name as PackageName, version: undefined, isAtHand: true }));
}

function along(name: string, isAtHand: boolean = true): AlongScene {
  return { name: name as PackageName, version: packageVersion("15.4.5-1"), isAtHand };
}

describe("the rollback", () => {
  test.each<readonly [string, Partial<PreviousScene>, string, RegExp]>([
    [
      "is an admin's alone where only the cache has it",
      { offers: [], examiner: examiner({ isCached: (name, version) => name === "svc-ent" && version === "15.4.5-1" }) },
      "warning",
      /its package lies in the cache/,
    ],
    [
      "is there where the package of what is installed is kept, whatever the repositories offer",
      { offers: [], kept: [kept("15.4.6-1"), kept("15.4.5-1")] },
      "ok",
      /is kept, so it can be rolled back to, also without the network$/,
    ],
    ["is there where it is required and kept", { offers: [], kept: [kept("15.4.5-1")], settings: required }, "ok", /is kept/],
    [
      "takes along what a repository offers or what is kept",
      { along: [along("svc-libs"), along("svc-data")] },
      "ok",
      /still offers svc-ent 15\.4\.5-1, so it can be rolled back to; with it svc-libs, svc-data$/,
    ],
    [
      "is gone before anything that moves along is looked at",
      { offers: [], along: [along("svc-libs", false)] },
      "warning",
      /could not be rolled back to it$/,
    ],
    ["leads nowhere where nothing is installed", { installed: { kind: "absent" } }, "skipped", /not installed/],
  ])("%s", (_title, changes, verdict, told) => {
    const finding = examinePrevious({ ...scene, ...changes });
    expect(finding.verdict).toBe(verdict);
    expect(finding.told).toMatch(told);
    expect(finding.fix).toBe(verdict === "warning" ? "look up svc-ent" : undefined);
  });

  const lies = "the package of svc-ent 15.4.5-1 is at hand; the next move adds extra, more: ";
  const asked = "whether 15.4.5-1 can be rolled back to with that in place is asked in the move, before anything changes; ";

  test.each<readonly [string, Partial<PreviousScene>, string]>([
    ["offered, and required", { settings: required }, "if not, the move is refused"],
    ["kept", { offers: [], kept: [kept("15.4.5-1")] }, "if not, the move says so"],
  ])("is promised of nothing where the next move adds something, though its own package is %s", (_how, changes, then) => {
    const finding = examinePrevious({ ...scene, along: adds("extra", "more"), ...changes });
    expect(finding).toEqual({ verdict: "ok", told: `${lies}${asked}${then}` });
  });

  test.each<readonly [string, Partial<PreviousScene>, string, RegExp]>([
    ["its own package is gone", { offers: [] }, "warning", /could not be rolled back to it$/],
    [
      "what is exchanged besides is gone",
      { along: [along("svc-libs", false), ...adds("extra")] },
      "warning",
      /would exchange svc-libs/,
    ],
    ["nobody asks for a rollback", { settings: never }, "ok", /never/],
  ])("is told of as ever where the next move adds something, and %s", (_how, changes, verdict, told) => {
    const finding = examinePrevious({ ...scene, along: adds("extra"), ...changes });
    expect(finding).toMatchObject({ verdict, told: expect.stringMatching(told) as string });
  });

  test.each<readonly [string, Partial<PreviousScene>, string]>([
    ["with the move where one is required", { settings: required }, "the move is refused"],
    ["though its own package is kept", { offers: [], kept: [kept("15.4.5-1")] }, "the move cannot be rolled back"],
  ])("may fail %s for what nobody offers any more of what moves along", (_title, changes, then) => {
    const gone = [along("svc-libs"), along("svc-data", false), along("svc-bin", false)];
    expect(examinePrevious({ ...scene, ...changes, along: gone })).toEqual({
      verdict: "warning",
      told: `the next move would exchange svc-data 15.4.5-1, svc-bin 15.4.5-1 as well, which no repository offers any more: if svc-ent 15.4.5-1 does not run without, ${then}`,
      fix: "look up svc-data",
    });
  });

  test("fails where it is required and cannot be had, with what would let things move", () => {
    expect(examinePrevious({ ...scene, settings: required, offers: [] })).toEqual({
      verdict: "failed",
      told: expect.stringMatching(
        /^no repository offers .* any more, and keep_previous: require moves nothing that cannot be rolled back/,
      ),
      fix: "echo 'keep_previous: prefer' | sudo tee /etc/svc-upgrade/60-keep-previous.yaml",
    });
  });
});
