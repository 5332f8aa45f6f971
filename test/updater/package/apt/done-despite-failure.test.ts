import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Fault } from "../../../../src/rules/fault/fault.ts";
import { isDoneDespite, lastUnpacking } from "../../../../src/updater/package/apt/done-despite-failure.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";

const agent = "svc-ent" as PackageName;

let root: string;
const lists = (): string => join(root, "var/lib/dpkg/info");
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "svc-upgrade-done-"));
  mkdirSync(lists(), { recursive: true });
  unpack(`${agent}.list`);
});
afterEach(() => rmSync(root, { recursive: true }));

/** dpkg puts a new file in place of the old one. */
function unpack(file: string): void {
  rmSync(join(lists(), file), { force: true });
  writeFileSync(join(lists(), `${file}.new-inode`), "");
  writeFileSync(join(lists(), file), "/.\n");
  rmSync(join(lists(), `${file}.new-inode`));
}

test("a call of apt or dpkg that was ended has not done its work", async () => {
  const failure = new Fault("interrupted", { message: "it was ended", hint: "" });
  const ask = (): Promise<never> => Promise.reject(new Error("nobody is asked"));
  const done = { files: [{ name: agent, version: "15.4.6" }], before: "" } as const;
  expect(await isDoneDespite(failure, { ask, root }, done)).toBe(false);
});

describe("when a package was last unpacked", () => {
  test.each([
    ["changes for the package of an architecture", `${agent}:amd64.list`, true],
    ["is not told by another package's files", `${agent}-bin.list`, false],
    ["is not told by its other files", `${agent}:amd64.md5sums`, false],
  ])("%s", (_title, file, isTold) => {
    unpack(file);
    const before = lastUnpacking(root, agent);
    unpack(file);
    expect(lastUnpacking(root, agent) !== before).toBe(isTold);
  });

  test("is told as never where the list is gone by then", () => {
    rmSync(join(lists(), `${agent}.list`));
    symlinkSync("/nonexistent", join(lists(), `${agent}.list`));
    expect(lastUnpacking(root, agent)).toBe("");
  });
});
