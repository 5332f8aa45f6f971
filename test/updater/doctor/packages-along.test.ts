import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { alongIn } from "../../../src/updater/doctor/previous.ts";
import { pathsBelow, type Paths } from "../../../src/machine/files/paths.ts";
import type { Change, PackageManager, Planned } from "../../../src/updater/package/manager/manager.ts";
import type { InstalledPackage } from "../../../src/updater/plan/host-facts.ts";
import { emptyLedger } from "../../../src/updater/record/ledger.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import { adoptPackage, prepareKept } from "../../../src/updater/store/kept-packages.ts";
import { writeLedger } from "../../../src/updater/store/ledger-file.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";
import { installed, packageVersion } from "../pass/given.ts";
import { manager } from "./given.ts";

const [old, wanted] = [packageVersion("15.4.5"), packageVersion("15.4.6")];
const [libs, data, extra] = ["svc-libs", "svc-data", "extra"] as PackageName[] as [PackageName, PackageName, PackageName];
const change: Change = { name: "svc-ent" as PackageName, to: wanted, direction: "up", hold: "none", beside: [] };

function host(): Paths {
  const paths = pathsBelow(mkdtempSync(`${scratchFolder()}/root-`));
  mkdirSync(paths.stateDirectory, { recursive: true });
  return paths;
}

const present: Readonly<Record<string, InstalledPackage>> = {
  [libs]: installed("15.4.5"),
  [data]: installed("15.4.5"),
  again: installed("15.4.6"),
};

/** One whose plan takes along what is named, and that offers what it says of each. */
function managing(names: readonly string[], offers: Readonly<Record<string, readonly string[]>>): PackageManager {
  const plan: readonly Planned[] = ["svc-ent", ...names].map((name) => ({ name, version: wanted, architecture: "all" }));
  return {
    ...manager(),
    simulate: async () => plan,
    inspectAll: async (all) => all.map((name) => present[name] ?? { kind: "absent" }),
    offers: async (name) => (offers[name] ?? []).map(packageVersion),
  };
}

describe("what the next move would take along", () => {
  test("is what is installed in another version, had where a repository offers that, and what is added", async () => {
    const offers = { [libs]: ["15.4.6", "15.4.5"], [data]: ["15.4.6"] };
    expect(await alongIn(change, managing([libs, data, extra, "again"], offers), host())).toEqual([
      { name: libs, version: old, isAtHand: true },
      { name: data, version: old, isAtHand: false },
      { name: extra, version: undefined, isAtHand: true },
    ]);
  });

  test("is had where its file is kept, as long as that is what it was", async () => {
    const paths = host();
    prepareKept(paths);
    const put = (file: string): ReturnType<typeof adoptPackage> => {
      writeFileSync(`${paths.keptPackages}/${file}`, file, { mode: 0o644 });
      return adoptPackage(paths.keptPackages, file, old);
    };
    const companions = [libs, data].map((name) => ({ ...put(`${name}.deb`), name, instead: wanted }));
    writeLedger(paths, { ...emptyLedger, kept: [{ ...put("svc-ent.deb"), companions }] });
    writeFileSync(`${paths.keptPackages}/${data}.deb`, "spoilt");
    expect(await alongIn(change, managing([libs, data], {}), paths)).toEqual([
      { name: libs, version: old, isAtHand: true },
      { name: data, version: old, isAtHand: false },
    ]);
  });

  test("is nothing where there is no next move", async () => {
    expect(await alongIn(undefined, managing([libs], {}), host())).toEqual([]);
  });
});
