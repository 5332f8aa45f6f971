import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compareBuilds, print } from "../../packaging/reproduce/compare.ts";
import { installedKilobytes } from "../../packaging/tree.ts";

let place = "";
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "svc-upgrade-reproduce-"));
});
afterEach(() => rmSync(place, { recursive: true }));

function built(name: string, files: Readonly<Record<string, string>>): { readonly folder: string } {
  const folder = join(place, name);
  mkdirSync(join(folder, "dist/work"), { recursive: true });
  writeFileSync(join(folder, "dist/work/on-the-way"), name);
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, "dist", file), content);
  return { folder };
}

test("two builds are compared file by file, and what differs is told with its place", () => {
  const one = built("one", { alike: "abc", other: "abc", longer: "abc", gone: "" });
  const other = built("other", { alike: "abc", other: "abd", longer: "abcd" });
  const compared = compareBuilds(one, other);
  expect(compared.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
    "alike: same",
    "gone: missing",
    "longer: different",
    "other: different",
  ]);
  expect(print(compared).split("\n")).toEqual([
    "same       ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  alike",
    `MISSING    gone in ${other.folder}/dist`,
    "DIFFERENT  longer: from byte 3 on, of 3 and 4",
    "DIFFERENT  other: from byte 2 on, of 3 and 3",
    "",
  ]);
});

test("builds that made nothing are not the same", () => {
  expect(() => compareBuilds(built("one", {}), built("other", {}))).toThrow("nothing was built in ");
});

test("the installed size does not depend on what a file system says of folders", () => {
  mkdirSync(join(place, "a/b"), { recursive: true });
  writeFileSync(join(place, "a/b/empty"), "");
  writeFileSync(join(place, "a/b/large"), "x".repeat(1025));
  expect(installedKilobytes(place)).toBe(4);
});
