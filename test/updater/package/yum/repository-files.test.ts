import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseSections, readPriorities } from "../../../../src/updater/package/yum/repository-files.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "svc-upgrade-repositories-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

describe("a repository's priority", () => {
  test("is what its file says, in whichever directory; 99 where nothing is said", () => {
    write("etc/yum.repos.d/svc.repo", "# ours\n[svc]\nname=x\npriority = 10\n\n[plain]\nname=y\n");
    write("etc/distro.repos.d/base.repo", "[base]\npriority=50\n");
    write("etc/yum/repos.d/old.repo", "[old]\npriority=20\n");
    write("etc/dnf/dnf.conf", "[main]\nbest=True\n[in-main]\npriority: 7\n");
    write("etc/yum.repos.d/svc.repo.rpmsave", "[svc]\npriority=1\n");
    const priorityOf = readPriorities(root);
    expect(["svc", "plain", "base", "old", "in-main", "unknown"].map(priorityOf)).toEqual([10, 99, 50, 20, 7, 99]);
  });

  test("is the usual one where it is no number, and on a host without any files", () => {
    expect(readPriorities(root)("svc")).toBe(99);
    write("etc/yum.repos.d/svc.repo", "[svc]\npriority=high\n");
    expect(readPriorities(root)("svc")).toBe(99);
  });
});

describe("a file with sections", () => {
  test("is read as dnf does: comments, blanks, and the last of two values", () => {
    const text = "key=outside\n[one]\n;key=no\n#key=no\nkey=first\nkey = second \nmore=\n[two]\n[one]\nlast=1\n";
    const sections = parseSections(text);
    expect([...sections.keys()]).toEqual(["one", "two"]);
    expect(Object.fromEntries(sections.get("one") ?? [])).toEqual({ key: "second", more: "", last: "1" });
  });
});
