import { describe, expect, test } from "vitest";
import { companionsIn, plannedTwice } from "../../../src/updater/pass/companions.ts";
import type { Planned } from "../../../src/updater/package/manager/manager.ts";
import type { InstalledPackage } from "../../../src/updater/plan/host-facts.ts";
import { mostCompanions } from "../../../src/updater/record/ledger.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import { installed } from "./given.ts";

const absent: InstalledPackage = { kind: "absent" };
const [agent, libs] = ["svc-ent", "svc-ent-libs"] as PackageName[] as [PackageName, PackageName];

function planned(name: string, version: string): Planned {
  return { name, version, architecture: "all" };
}

const present: Readonly<Record<string, InstalledPackage>> = {
  "svc-ent": installed("15.4.5"),
  "svc-ent-libs": installed("15.4.5"),
  broken: installed("1.0", { condition: "half-way" }),
};

function manager(): { readonly asked: (readonly PackageName[])[]; readonly inspectAll: Asked } {
  const asked: (readonly PackageName[])[] = [];
  return {
    asked,
    inspectAll: async (names) => {
      asked.push(names);
      return names.map((name) => present[name] ?? absent);
    },
  };
}
type Asked = (names: readonly PackageName[]) => Promise<readonly InstalledPackage[]>;

describe("what a plan takes along", () => {
  test("is all of it but the agent's package: what is exchanged, added, and installed once more", async () => {
    const asking = manager();
    const plan = [planned("extra", "2.0"), planned(agent, "15.4.6"), planned(libs, "15.4.6"), planned("broken", "1.0")];
    expect(await companionsIn(plan, agent, asking)).toStrictEqual([
      { name: "extra", from: undefined, to: "2.0" },
      { name: libs, from: "15.4.5", to: "15.4.6" },
      { name: "broken", from: "1.0", to: "1.0" },
    ]);
    expect(asking.asked).toEqual([["extra", libs, "broken"]]);
  });

  test.each([
    { title: "the agent's package alone", plan: [planned(agent, "15.4.6")] },
    { title: "nothing", plan: [] },
  ])("is nothing, and nobody is asked, where it is $title", async ({ plan }) => {
    const asking = manager();
    expect(await companionsIn(plan, agent, asking)).toEqual([]);
    expect(asking.asked).toEqual([]);
  });

  test("is refused where it is more than can be written down", async () => {
    const many = (count: number): Planned[] => Array.from({ length: count }, (_, at) => planned(`lib${at}`, "1.0"));
    expect(await companionsIn([planned(agent, "15.4.6"), ...many(mostCompanions)], agent, manager())).toHaveLength(100);
    await expect(companionsIn(many(mostCompanions + 1), agent, manager())).rejects.toMatchObject({
      code: "plan-refused",
      message: "the move was refused: it would take 101 other packages along, and 100 are the most",
    });
  });

  test.each([
    ["an option", planned("--force-all", "1.0")],
    ["a path", planned("../libs", "1.0")],
    ["no version", planned("libs", "--root=/")],
  ])("is refused where one of it is named like %s, in words that can be printed", async (_like, odd) => {
    await expect(companionsIn([odd], agent, manager())).rejects.toMatchObject({
      code: "plan-refused",
      // oxlint-disable-next-line no-control-regex -- that it has none
      message: expect.stringMatching(/^[^\u0000-\u001f]* which cannot be written down$/) as string,
    });
  });
});

describe("what is planned for two architectures", () => {
  const twice = [planned(libs, "15.4.6"), { ...planned(libs, "15.4.6"), architecture: "i386" }];

  test.each([
    ["named", [planned(agent, "15.4.6"), ...twice], libs],
    ["named, and be it the agent's package", [planned(agent, "1"), planned(libs, "1"), planned(agent, "1")], agent],
    ["nothing where each is planned once", [planned(agent, "15.4.6"), planned(libs, "15.4.6")], undefined],
  ])("is %s", (_title, plan, name) => {
    expect(plannedTwice(plan)).toBe(name);
  });

  test("moves along once", async () => {
    expect(await companionsIn([planned(agent, "15.4.6"), ...twice], agent, manager())).toEqual([
      { name: libs, from: "15.4.5", to: "15.4.6" },
    ]);
  });
});
