import { expect, test } from "vitest";
import { buildFrom } from "../../../../src/updater/package/yum/offered-build.ts";

test.each([
  ["one repository offers is known by its size", "20672\n", 20_672],
  ["several repositories offer alike is known by its size", "20672\n20672\n", 20_672],
  ["several repositories offer in different files is known by nothing", "20672\n20673\n", undefined],
  ["no repository offers is known by nothing", "", undefined],
  ["dnf says something else about is known by nothing", "Last metadata expiration check: now\n", undefined],
])("a package that %s", (_, output, bytes) => {
  expect(buildFrom(output)).toEqual({ sha256: undefined, bytes });
});
