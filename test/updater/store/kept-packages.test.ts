import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { KeptSet } from "../../../src/updater/record/ledger.ts";
import type { KeptPackage } from "../../../src/updater/record/state.ts";
import { adoptPackage, checkFile, checkSet, filesIn, keepOnly, prepareKept } from "../../../src/updater/store/kept-packages.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../src/rules/version/wrapped.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const folder = scratchFolder();
const at = (keptPackages: string): { readonly root: string; readonly keptPackages: string } => ({ root: "/", keptPackages });
const version = "15.4.5" as PackageVersion;
const name = "svc-ent_15.4.5_amd64.deb";
const isRoot = process.getuid?.() === 0;

let count = 0;
let directory = "";
let file = "";

beforeEach(() => {
  count += 1;
  directory = join(folder, String(count), "packages");
  file = join(directory, name);
  prepareKept(at(directory));
});

function keep(content: string = "a package"): KeptPackage {
  writeFileSync(file, content);
  return adoptPackage(directory, name, version);
}

describe("the directory of kept packages", () => {
  test.each<[is: string, spoil: (path: string) => void, why: string]>([
    ["a link to a directory", (path) => symlinkSync(folder, path), "it is a symbolic link"],
    ["a file", (path) => writeFileSync(path, ""), "not a directory (ENOTDIR)"],
    ["open to its group", (path) => (mkdirSync(path), chmodSync(path, 0o775)), "it can be written by others (mode 775)"],
    ["open to all", (path) => (mkdirSync(path), chmodSync(path, 0o1777)), "it can be written by others (mode 1777)"],
  ])("is refused where it is %s", (is, spoil, why) => {
    const path = join(folder, is);
    spoil(path);
    const refusal = { code: "file-failed", message: `${path} cannot keep a package: ${why}` };
    expect(() => prepareKept(at(path))).toThrow(expect.objectContaining(refusal) as Error);
  });

  test.runIf(isRoot)("is refused where it is another user's", () => {
    chownSync(directory, 12_345, 0);
    expect(() => prepareKept(at(directory))).toThrow("it belongs to user 12345");
    expect(() => keepOnly(at(directory), [])).toThrow("it belongs to user 12345");
  });
});

describe("a package that was just put there", () => {
  test("is taken down with its size and its checksum", () => {
    const sha256 = createHash("sha256").update("a package").digest("hex");
    expect(keep()).toEqual({ packageVersion: version, file: name, sha256, bytes: 9 });
  });

  test("may be larger than what is read at once", () => {
    const content = "package ".repeat(400_000);
    expect(keep(content)).toMatchObject({ bytes: 3_200_000, sha256: createHash("sha256").update(content).digest("hex") });
  });

  test.each<[is: string, put: (path: string) => void, why: string]>([
    ["not there", () => undefined, "no such file or directory (ENOENT)"],
    ["a link to a file", (path) => symlinkSync("/etc/passwd", path), "it is a symbolic link"],
    ["a directory", (path) => mkdirSync(path), "it is not a file"],
    ["too large", (path) => (writeFileSync(path, ""), truncateSync(path, 2 ** 30 + 1)), "it is larger than 1073741824 bytes"],
    ["of two names", (path) => (writeFileSync(path, ""), linkSync(path, `${path}.other`)), "it has another name elsewhere"],
  ])("is refused where it is %s", (_is, put, why) => {
    put(file);
    const refusal = { code: "file-failed", message: `${file} cannot keep a package: ${why}` };
    expect(() => adoptPackage(directory, name, version)).toThrow(expect.objectContaining(refusal) as Error);
  });

  test.each(["", ".", "..", "a\0b"])("is refused by the name %j", (odd) => {
    expect(() => adoptPackage(directory, odd, version)).toThrow("is no name of a file");
  });
});

describe("a package that was kept", () => {
  test.each<[is: string, change: (path: string) => void, why: string]>([
    ["is gone", (path) => execFileSync("rm", [path]), "it is not there"],
    ["is cut off", (path) => truncateSync(path, 4), "it has 4 bytes and had 9"],
    ["is another", (path) => writeFileSync(path, "A package"), "its content is another by now"],
    [
      "is a link to the same",
      (path) => execFileSync("sh", ["-c", 'mv "$1" "$1.x"; ln -s "$1.x" "$1"', "", path]),
      "it is a symbolic link",
    ],
    ["is open to others", (path) => chmodSync(path, 0o666), "it can be written by others (mode 666)"],
    [
      "lies in a directory that is open to others",
      () => chmodSync(directory, 0o777),
      "its directory: it can be written by others (mode 777)",
    ],
    ["lies in no directory", () => execFileSync("rm", ["-r", directory]), "it is not there"],
  ])("is unusable where it %s", (_is, change, why) => {
    const kept = keep();
    change(file);
    expect(checkFile(directory, kept)).toEqual({ kind: "unusable", why });
  });
});

describe("a package that was kept with what moves along", () => {
  function keepSet(): KeptSet {
    const put = (other: string): KeptPackage => {
      writeFileSync(join(directory, other), `package ${other}`);
      return adoptPackage(directory, other, version);
    };
    const companion = (other: string): KeptSet["companions"][number] => ({
      ...put(other),
      name: "svc-libs" as PackageName,
      instead: undefined,
    });
    return { ...keep(), companions: [companion("libs.deb"), companion("data.deb")] };
  }

  test.each<[what: string, spoil: () => void, why: string]>([
    ["it", () => appendFileSync(file, "!"), "it has 10 bytes and had 9"],
    ["the first of them", () => execFileSync("rm", [join(directory, "libs.deb")]), "libs.deb: it is not there"],
    ["the last of them", () => appendFileSync(join(directory, "data.deb"), "!"), "data.deb: it has 17 bytes and had 16"],
  ])("is unusable where %s is, and says which", (_what, spoil, why) => {
    const set = keepSet();
    spoil();
    expect(checkSet(directory, set)).toEqual({ kind: "unusable", why });
  });

  test("stays as a whole where it is to stay", () => {
    const set = keepSet();
    writeFileSync(join(directory, "svc-ent_15.4.4_amd64.deb"), "");
    expect(filesIn([set])).toEqual([name, "libs.deb", "data.deb"]);
    keepOnly(at(directory), filesIn([set]));
    expect(readdirSync(directory).toSorted()).toEqual([name, "libs.deb", "data.deb"].toSorted());
  });
});

describe("keeping some packages only", () => {
  test("removes all else: other packages, halves of downloads, directories, and links without what they lead to", () => {
    const kept = keep();
    const outside = join(folder, "outside");
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, "precious"), "");
    symlinkSync(outside, join(directory, "link"));
    symlinkSync(join(outside, "precious"), join(directory, "svc-ent_15.4.4_amd64.deb"));
    mkdirSync(join(directory, "partial"));
    symlinkSync(outside, join(directory, "partial", "link"));
    for (const other of ["partial/half", ".hidden", "svc-ent_15.4.3_amd64.deb"]) writeFileSync(join(directory, other), "");
    keepOnly(at(directory), [kept.file]);
    expect(readdirSync(directory)).toEqual([name]);
    expect(checkFile(directory, kept)).toMatchObject({ kind: "whole" });
    expect(existsSync(join(outside, "precious"))).toBe(true);
  });

  test("has nothing to do where there is no directory", () => {
    expect(() => keepOnly(at(join(folder, "never-made")), [])).not.toThrow();
  });
});
