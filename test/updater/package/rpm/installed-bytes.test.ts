import { expect, test } from "vitest";
import { installedBytes } from "../../../../src/updater/package/rpm/examine.ts";
import { agent } from "./on-host.ts";
import { rpmThatSays } from "./says.ts";

test.each([
  ["is what rpm says it takes", "695345\n", 0, 695_345],
  ["is told once, where a power cut has left it twice", "695345\n700000\n", 0, 695_345],
  ["is nothing where it is not installed", "package svc-ent is not installed\n", 1, 0],
])("the size of the installed package %s", async (_title, stdout, status, bytes) => {
  const { run, asked } = rpmThatSays(stdout, { status });
  expect(await installedBytes({ run, root: "/mnt" }, agent)).toBe(bytes);
  expect(asked[0]?.argv).toEqual(["rpm", "--root", "/mnt", "-q", "--qf", "%{SIZE}\\n", "svc-ent"]);
});
