import { describe, expect, test } from "vitest";
import type { Change, Planned } from "../../../../src/updater/package/manager/manager.ts";
import { asPlanned, halfWay, halfWayIn } from "../../../../src/updater/package/rpm/half-way.ts";
import type { InstalledRow } from "../../../../src/updater/package/rpm/installed.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { change } from "./on-host.ts";

const row = (version: string): InstalledRow => ({ epoch: "0", version, release: "1", architecture: "noarch", instance: 1 });

/** A database with these versions of each package, and a repository with those. */
function host(
  there: Readonly<Record<string, readonly string[]>>,
  offered: readonly string[] = [],
): Parameters<typeof halfWay>[0] {
  return {
    rows: async (name) => (there[name] ?? []).map(row),
    offers: async () => offered as readonly PackageVersion[],
  };
}

const repair = (...beside: readonly string[]): Change =>
  change("15.4.6-1", { direction: "same", beside: beside as readonly PackageName[] });

const told = (found: readonly { readonly name: string; readonly version: string }[]): readonly string[] =>
  found.map(({ name, version }) => `${name} ${version}`);

describe("what a repair puts in order along with the agent", () => {
  test.each([
    { title: "the agent's version", there: ["15.4.6", "15.4.5"], offered: ["15.4.5-1"], is: ["data 15.4.6-1"] },
    { title: "the one written last", there: ["1.0", "2.0"], offered: ["1.0-1", "2.0-1"], is: ["data 2.0-1"] },
    { title: "the one written last, though lower", there: ["2.0", "1.0"], offered: ["2.0-1", "1.0-1"], is: ["data 1.0-1"] },
    { title: "the other, where that alone is offered", there: ["1.0", "2.0"], offered: ["1.0-1"], is: ["data 1.0-1"] },
    { title: "the one written last, where none is offered", there: ["1.0", "2.0"], offered: [], is: ["data 2.0-1"] },
    { title: "nothing, where it is there once", there: ["15.4.5"], offered: ["15.4.5-1"], is: [] },
    { title: "nothing, where it is not there", there: [], offered: ["15.4.5-1"], is: [] },
  ])("comes in $title", async ({ there, offered, is }) => {
    expect(told(await halfWay(host({ data: there }, offered), repair("data")))).toEqual(is);
  });

  test("is never a kernel or a key, which stand beside each other by intention", async () => {
    const there = { "kernel-core": ["6.1", "6.2"], "gpg-pubkey": ["1", "2"], data: ["15.4.5", "15.4.6"] };
    expect(told(await halfWay(host(there), repair(...Object.keys(there))))).toEqual(["data 15.4.6-1"]);
  });

  test("is nothing in a move, whatever is there twice", async () => {
    const calls = host({ data: ["15.4.5", "15.4.6"] });
    for (const direction of ["up", "down"] as const) {
      expect(await halfWay(calls, { ...repair("data"), direction })).toEqual([]);
      expect(
        await halfWayIn([asPlanned({ name: "data" as PackageName, version: "1-1" as PackageVersion })], calls, change("2")),
      ).toEqual([]);
    }
  });

  test("comes in the version of the plan once there is one, and not at all where the plan has none of it", async () => {
    const calls = host({ data: ["15.4.5", "15.4.6"], bin: ["15.4.5", "15.4.6"] });
    const planned: readonly Planned[] = ["15.4.6-1", "not a version"].map((version, at) => ({
      name: at === 0 ? "data" : "bin",
      version,
      architecture: "noarch",
    }));
    expect(told(await halfWayIn(planned, calls, repair("bin", "data")))).toEqual(["data 15.4.6-1"]);
    expect(await halfWayIn([], calls, repair("bin", "data"))).toEqual([]);
  });
});
