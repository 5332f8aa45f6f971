import { createHash } from "node:crypto";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { entriesIn, isWhole, listsFrom, spoiltLists } from "../../../../src/updater/package/apt/spoilt-lists.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";

const folder = `${scratchFolder()}/lists/`;
const packages = "Package: svc-ent\nVersion: 15.4.6\n";
const sum = createHash("sha256").update(packages).digest("hex");
const release = `Origin: Lab
SHA256:
 ${sum} ${packages.length} main/binary-amd64/Packages
 ${sum} 99 main/binary-amd64/Packages.gz
`;
const signed = `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n${release}-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n`;
const names = { release: "repo_dists_stable_InRelease", list: "repo_dists_stable_main_binary-amd64_Packages" };

function lay(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  lay({ [names.release]: signed, [names.list]: packages, "repo_dists_stable_main_i18n_Translation-en": "x", lock: "" });
});

describe("package lists", () => {
  test("are damaged by another size at once, and by other bytes of that size for whoever looks closer", async () => {
    lay({ [names.list]: packages.slice(5) });
    expect(await spoiltLists(folder, "by their sizes")).toEqual([names.list]);
    lay({ [names.list]: packages.replace("6", "7") });
    expect(await spoiltLists(folder, "by their sizes")).toEqual([]);
    expect(await spoiltLists(folder, "by their contents")).toEqual([names.list]);
  });

  test("all go with the signed one, where that is not whole", async () => {
    lay({ [names.release]: signed.slice(0, 200), other_Release: release, other_main: "x" });
    expect(await spoiltLists(folder, "by their sizes")).toEqual([
      names.release,
      names.list,
      "repo_dists_stable_main_i18n_Translation-en",
    ]);
  });

  test("are not judged where one cannot be read, or leads nowhere", async () => {
    mkdirSync(join(folder, "other_Release"));
    rmSync(join(folder, names.list));
    symlinkSync("/nonexistent", join(folder, names.list));
    expect(await spoiltLists(folder, "by their contents")).toEqual([]);
  });

  test("are judged by a signed one that is a link", async () => {
    lay({ real: signed });
    rmSync(join(folder, names.release));
    symlinkSync(join(folder, "real"), join(folder, names.release));
    lay({ [names.list]: "" });
    expect(await spoiltLists(folder, "by their sizes")).toEqual([names.list]);
  });

  test("lie where apt's configuration says", () => {
    expect(listsFrom("LISTS='/srv/it'\\''s/lists/'\n")).toBe("/srv/it's/lists/");
    expect(listsFrom("")).toBe("/var/lib/apt/lists/");
  });

  test("without a table are not judged", () => {
    expect(entriesIn("Origin: Lab\nMD5Sum:\n abc 1 Packages\n").size).toBe(0);
    expect(isWhole("Origin: Lab\n")).toBe(true);
    expect(isWhole("Origin: Lab\n\0\0\0\0")).toBe(false);
  });
});
