import { describe, expect, test } from "vitest";
import { archivesFrom, offeredFile, offeredFiles } from "../../../../src/updater/package/apt/offered-file.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";

const wanted = { name: "svc-ent" as PackageName, version: "5:15.4.6-1" as PackageVersion };
const sha256 = "b5".repeat(32);
const sha512 = "5b".repeat(64);

function paragraph(...lines: readonly string[]): string {
  return `Package: svc-ent\nVersion: 5:15.4.6-1\n${lines.map((line) => `${line}\n`).join("")}\n`;
}

describe("the file of a version, by what apt-cache shows", () => {
  test("is named as apt names it in its cache, with its sha512", () => {
    expect(offeredFile(paragraph("Architecture: amd64", "Filename: ./x.deb", `SHA512: ${sha512}`), wanted)).toEqual({
      name: "svc-ent_5%3a15.4.6-1_amd64.deb",
      algorithm: "sha512",
      hash: sha512,
    });
  });

  test.each([
    { title: "no list says what it contains", lines: ["Architecture: amd64", "Filename: ./x.deb", "MD5sum: 00"] },
    { title: "its architecture is none", lines: ["Architecture: ../../x", "Filename: ./x.deb", `SHA256: ${sha256}`] },
  ])("is none where $title", ({ lines }) => {
    expect(offeredFile(lines === undefined ? "" : paragraph(...lines), wanted)).toBeUndefined();
  });
});

test("the files of several are each what is planned, in that version, and offered", () => {
  const of = (name: string, version: string, file = "Filename: ./x.deb\n"): string =>
    `Package: ${name}\nVersion: ${version}\nArchitecture: all\n${file}SHA256: ${sha256}\n`;
  const control = [of("svc-ent", "1"), of("svc-ent", "2"), of("libc6", "2"), of("other", "1"), of("svc-ent", "1", "")].join("\n");
  const planned = [
    { name: "svc-ent", version: "1", architecture: undefined },
    { name: "libc6:i386", version: "2", architecture: "i386" },
  ];
  expect(offeredFiles(control, planned).map(({ name }) => name)).toEqual(["svc-ent_1_all.deb", "libc6_2_all.deb"]);
});

describe("where apt has its files", () => {
  test("is below /var where apt names none", () => {
    expect(archivesFrom("")).toBe("/var/cache/apt/archives/");
  });
});
