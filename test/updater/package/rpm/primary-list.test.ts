import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { buildsIn, isPrimaryList } from "../../../../src/updater/package/rpm/primary-list.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";
import { agent } from "./on-host.ts";

const folder = scratchFolder();
const wanted = { name: agent, version: "5:15.4.6-1" as PackageVersion };
const sha256 = "a".repeat(64);

const element = `<package type="rpm">
  <name>svc-ent</name>
  <arch>noarch</arch>
  <version epoch="5" ver="15.4.6" rel="1"/>
  <checksum type="sha256" pkgid="YES">${sha256}</checksum>
  <size package="20672" installed="695345" archive="9"/>
</package>`;

async function builds(text: Buffer | string, name: string = "primary.xml"): ReturnType<typeof buildsIn> {
  const path = join(folder, name);
  writeFileSync(path, text);
  return buildsIn(path, wanted);
}

describe("what a repository's list says of a version", () => {
  test("is read where the list is packed by zstd", async () => {
    const packed = zstdCompressSync(`<metadata>${element}\n${element}</metadata>`);
    const build = { sha256, bytes: 20_672 };
    expect(await builds(packed, "primary.xml.zst")).toEqual([build, build]);
  });

  test.each([
    ["an attribute that only ends so", ['ver="15.4.6"', 'ver="1" other-ver="15.4.6"']],
    ["no version at all", ["<version ", "<versions "]],
  ] as const)("is nothing of %s", async (_title, [was, becomes]) => {
    expect(await builds(element.replace(was, becomes))).toEqual([]);
  });

  test("is what it tells, where it names the sum by another way or no size", async () => {
    expect(await builds(element.replace("sha256", "sha512"))).toEqual([{ sha256: undefined, bytes: 20_672 }]);
    expect(await builds(element.replace('package="20672" ', ""))).toEqual([{ sha256, bytes: undefined }]);
  });

  test("is read in pieces that may end anywhere, within a letter too", async () => {
    const long = `<package><name>other</name><summary>${"é".repeat(200_001)}</summary></package>`;
    expect(await builds(`${long}x${long}${element.replace("<arch>", "<summary>é</summary><arch>")}${long}`)).toHaveLength(1);
  });

  test("is not waited for where an element never ends: memory is not for the repository to fill", async () => {
    const [most, long] = [4 * 1024 ** 2, "<summary>"];
    expect(await builds(element.replace("<name>", `${long.padEnd(most - 1000, "x")}</summary><name>`))).toHaveLength(1);
    expect(await builds(long.padEnd(most, "x"))).toEqual([]);
    await expect(builds(long.padEnd(most + 1, "x"))).rejects.toThrow("too large");
  });

  test("is a fault of the reader's caller where there is no such list", async () => {
    await expect(buildsIn("/nonexistent/primary.xml", wanted)).rejects.toThrow("ENOENT");
    await expect(buildsIn("/nonexistent/primary.xml.gz", wanted)).rejects.toThrow("ENOENT");
  });
});

test.each([
  ["0123-primary.xml.zst", true],
  ["0123-primary.xml.xz", false],
])("%s is a list that can be read: %s", (name, isReadable) => {
  expect(isPrimaryList(name)).toBe(isReadable);
});
