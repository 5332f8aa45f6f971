import { describe, expect, test } from "vitest";
import {
  isElsewhere,
  movedSince,
  tellMoved,
  type CompanionFound,
  type Kept,
  type Side,
} from "../../../src/updater/plan/companion.ts";
import type { InstalledPackage } from "../../../src/updater/plan/host-facts.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../src/rules/version/wrapped.ts";
import { wrappedVersion } from "../../../src/rules/version/wrapped.ts";
import { packageVersion } from "../../rules/version/given.ts";
import { present } from "./given.ts";

const [old, wanted, later] = ["15.4.5-1", "15.4.6-1", "15.4.7-1"].map(packageVersion) as [
  PackageVersion,
  PackageVersion,
  PackageVersion,
];
const absent: InstalledPackage = { kind: "absent" };

function at(found: PackageVersion, condition: "whole" | "half-way" = "whole"): InstalledPackage {
  return present({ packageVersion: found, version: wrappedVersion(found), condition });
}

describe("a package that moves along", () => {
  test.each<[is: string, side: Side, expected: boolean, more: Partial<CompanionFound>]>([
    ["where it came from", "from", false, { found: at(old) }],
    ["where it came from", "to", true, { found: at(old) }],
    ["where it goes", "from", true, { found: at(wanted) }],
    ["where it goes", "to", false, { found: at(wanted) }],
    ["half-way where it came from", "from", true, { found: at(old, "half-way") }],
    ["gone", "to", true, { found: absent }],
    ["further than it goes", "from", false, { found: at(later) }],
    ["added", "from", false, { from: undefined, found: at(wanted) }],
    ["to be added, and is not there", "to", true, { from: undefined, found: absent }],
    ["to be added, and is not there", "from", false, { from: undefined, found: absent }],
    ["to be added, and is half-way", "from", true, { from: undefined, found: at(wanted, "half-way") }],
    ["installed once more", "from", false, { from: wanted, found: at(wanted) }],
    ["installed once more, and is half-way", "to", true, { from: wanted, found: at(wanted, "half-way") }],
    ["half-way further than it goes", "from", true, { found: at(later, "half-way") }],
  ])("that is %s is, seen from the side %j, elsewhere: %j", (_is, side, expected, more) => {
    const companion = { name: "svc-libs" as PackageName, from: old, to: wanted, found: absent, ...more };
    expect(isElsewhere(companion, side)).toBe(expected);
  });
});

describe("whoever has moved it since", () => {
  function companion(instead: PackageVersion | undefined, name: string = "svc-libs"): Kept {
    return { name: name as PackageName, packageVersion: old, instead };
  }
  const before = at(packageVersion("15.4.4-1"));

  test.each<[found: string, there: InstalledPackage | undefined, instead: PackageVersion | undefined, told: string | undefined]>([
    ["where the move left it", at(wanted), wanted, undefined],
    ["where it was before", at(old), wanted, undefined],
    ["half-way, wherever", at(later, "half-way"), wanted, undefined],
    ["further than that", at(later), wanted, "is at 15.4.7-1 by now, and not at 15.4.6-1"],
    ["before both", before, wanted, "is at 15.4.4-1 by now, and not at 15.4.6-1"],
    ["gone", absent, wanted, "is not installed any more, and not at 15.4.6-1"],
    ["not told of", undefined, wanted, "is not installed any more, and not at 15.4.6-1"],
    ["not there, as the move left it", absent, undefined, undefined],
    ["there, where the move left nothing", at(later), undefined, "is at 15.4.7-1 by now, and not away"],
  ])("is known by one that is %s", (_found, there, instead, told) => {
    const moved = movedSince([companion(instead)], there === undefined ? [] : [there]);
    if (told === undefined) expect(moved).toBeUndefined();
    else expect(moved && tellMoved(moved)).toBe(`svc-libs, which had moved along, ${told} as the move left it`);
  });

  test("is told by the first that was moved, each by what is found in its own place", () => {
    const [one, other] = [companion(wanted), companion(wanted, "svc-data")];
    expect(movedSince([one, other], [at(wanted), at(later)])).toEqual({ companion: other, found: later });
    expect(movedSince([one, other], [at(later), absent])).toEqual({ companion: one, found: later });
    expect(movedSince([one, other], [at(wanted), at(wanted)])).toBeUndefined();
    expect(movedSince([], [])).toBeUndefined();
  });
});
