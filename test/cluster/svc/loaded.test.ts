import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Every host has it in memory for as long as it runs. */
test("a plain host runs without auth, the server, Connect and the library of certificates", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, "loaded-child.ts")]);
  const loaded = stdout.split("\n");
  expect(loaded).toContainEqual(expect.stringMatching(/src\/cluster\/presence\/reporting\.ts$/));
  expect(loaded.filter((url) => /src\/cluster\/(?:auth|storage)\/|src\/proxy\/server\/server\.ts/.test(url))).toEqual([]);
  const packages = loaded.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
  expect([...new Set(packages)].toSorted()).toEqual(["semver"]);
});
