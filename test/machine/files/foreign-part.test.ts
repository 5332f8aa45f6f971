import { chmodSync, chownSync, mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { foreignPart, refuseForeign } from "../../../src/machine/files/foreign-part.ts";
import { scratchFolder } from "./scratch.ts";

const scratch = scratchFolder();
const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn("SKIPPED: the tests of roots that belong to another user: only root can give them away");
const stranger = 12_002;

let root = "";
beforeEach(() => {
  const around = mkdtempSync(`${scratch}/around-`);
  root = join(around, "root");
  for (const path of [
    "etc/apt",
    "usr/bin",
    "var/lib/dpkg/info",
    "var/lib/svc-upgrade",
    "var/log/apt",
    "home",
    "tmp",
    "srv/data",
  ]) {
    mkdirSync(join(root, path), { recursive: true });
  }
});

describe("a root", () => {
  test("is ours alone where nobody else has a say on the way to it or where things are written", () => {
    expect(foreignPart(root)).toBeUndefined();
    expect(() => refuseForeign(root)).not.toThrow();
  });

  test.runIf(isRoot)("may have homes, a /tmp, logs of a group and data of somebody else", () => {
    for (const path of ["home", "srv/data"]) chownSync(join(root, path), stranger, stranger);
    chmodSync(join(root, "tmp"), 0o1777);
    chownSync(join(root, "var/log"), 0, stranger);
    chmodSync(join(root, "var/log"), 0o2775);
    expect(foreignPart(root)).toBeUndefined();
  });

  test("may have links of its owner's, whose other end is not looked at", () => {
    symlinkSync("/proc/nowhere", join(root, "var/cache"));
    expect(foreignPart(root)).toBeUndefined();
  });

  test
    .runIf(isRoot)
    .each(["", "etc", "etc/apt", "usr", "usr/bin", "var", "var/lib", "var/lib/dpkg", "var/lib/dpkg/info", "var/log"])(
    "is foreign where /%s belongs to another user, or everybody may write there",
    (path) => {
      const at = join(root, path);
      chownSync(at, stranger, stranger);
      expect(foreignPart(root)).toEqual({ path: at, why: `belongs to user ${stranger}` });
      chownSync(at, 0, 0);
      chmodSync(at, 0o777);
      expect(foreignPart(root)).toEqual({ path: at, why: "may be written by everybody (mode 777)" });
    },
  );

  test.runIf(isRoot)("is foreign where a group may write that is not root's", () => {
    const at = join(root, "var/lib/svc-upgrade");
    chmodSync(at, 0o775);
    expect(foreignPart(root)).toBeUndefined();
    chownSync(at, 0, stranger);
    chmodSync(at, 0o2775);
    expect(foreignPart(root)).toEqual({ path: at, why: `may be written by its group, ${stranger} (mode 2775)` });
  });

  test.runIf(isRoot)("is foreign where another user could put another root in its place", () => {
    const around = dirname(root);
    chmodSync(around, 0o1777);
    expect(foreignPart(root)).toBeUndefined();
    chownSync(root, stranger, stranger);
    // Not the directory around it: nobody should be told to close /tmp.
    expect(foreignPart(root)).toEqual({ path: root, why: `belongs to user ${stranger}` });
    chownSync(root, 0, 0);
    chmodSync(around, 0o777);
    expect(foreignPart(root)?.path).toBe(around);
    chmodSync(around, 0o755);
    chownSync(around, stranger, stranger);
    const refused = expect.objectContaining({
      code: "path-untrusted",
      message: expect.stringContaining(`${around} belongs to user`),
    });
    expect(() => refuseForeign(root)).toThrow(refused as Error);
  });
});
