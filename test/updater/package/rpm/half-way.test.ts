import { describe, expect, test } from "vitest";
import type { Change } from "../../../../src/updater/package/manager/manager.ts";
import { halfWay } from "../../../../src/updater/package/rpm/half-way.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { change, row } from "./on-host.ts";

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
  test("is never a kernel or a key, which stand beside each other by intention", async () => {
    const there = { "kernel-core": ["6.1", "6.2"], "gpg-pubkey": ["1", "2"], data: ["15.4.5", "15.4.6"] };
    expect(told(await halfWay(host(there), repair(...Object.keys(there))))).toEqual(["data 15.4.6-1"]);
  });
});
