import { describe, expect, test } from "vitest";
import { companionsToInstall, filesOf } from "../../../src/updater/act/kept-sets.ts";
import type { InstalledPackage } from "../../../src/updater/plan/host-facts.ts";
import type { KeptCompanion, KeptSet } from "../../../src/updater/record/ledger.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../src/rules/version/wrapped.ts";
import { installed } from "../pass/given.ts";
import { a, absent, agent, b, data, libs } from "./acting-host.ts";

function companion(name: PackageName, packageVersion: PackageVersion, instead: PackageVersion | undefined): KeptCompanion {
  return { name, packageVersion, instead, file: `${name}_${packageVersion}.deb`, sha256: "a".repeat(64), bytes: 7 };
}

function set(...companions: readonly KeptCompanion[]): KeptSet {
  return { packageVersion: a, file: "svc-ent_15.4.5.deb", sha256: "b".repeat(64), bytes: 8, companions };
}

const halfWay = (version: PackageVersion): InstalledPackage => installed(version, { condition: "half-way" });
const later = installed("15.4.7");
const earlier = installed("15.4.4");

describe("the files of a set", () => {
  test("are the agent's first, and those that lie beside it, each by its name and version", () => {
    const files = filesOf(set(companion(libs, a, b), companion(data, b, undefined)), { name: agent, directory: "/kept" });
    expect(files).toStrictEqual([
      { name: agent, version: "15.4.5", path: "/kept/svc-ent_15.4.5.deb" },
      { name: libs, version: "15.4.5", path: "/kept/svc-ent-libs_15.4.5.deb" },
      { name: data, version: "15.4.6", path: "/kept/svc-ent-data_15.4.6.deb" },
    ]);
  });
});

describe("of what moved along there is installed", () => {
  // The one kept is at 15.4.5, and the other side of the move has 15.4.6 in its place, or nothing.
  test.each<[found: string, there: InstalledPackage | undefined, instead: PackageVersion | undefined, isInstalled: boolean]>([
    ["at the other side of the move", installed(b), b, true],
    ["half-way there", halfWay(b), b, true],
    ["half-way where it is to be", halfWay(a), b, true],
    ["where it is to be", installed(a), b, false],
    ["gone", absent, b, true],
    ["not told of", undefined, b, true],
    ["before both", earlier, b, false],
    ["not there, as it is at the other side", absent, undefined, true],
    ["there, and not at the other side", installed(a), undefined, false],
    ["elsewhere, and not at the other side", later, undefined, false],
    ["the same at both sides", installed(a), a, false],
    ["the same at both sides, and half-way", halfWay(a), a, true],
  ])("one that is %s", (_found, there, instead, isInstalled) => {
    const one = companion(libs, a, instead);
    expect(companionsToInstall(set(one), there === undefined ? [] : [there])).toEqual(isInstalled ? [one] : []);
  });

  test("each by what is found in its own place", () => {
    const [one, other] = [companion(libs, a, b), companion(data, a, b)];
    expect(companionsToInstall(set(one, other), [installed(a), installed(b)])).toEqual([other]);
    expect(companionsToInstall(set(one, other), [installed(b), installed(a)])).toEqual([one]);
    expect(companionsToInstall(set(), [])).toEqual([]);
  });
});
