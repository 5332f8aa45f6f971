import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { whereUnwritable } from "../../../src/machine/files/unwritable.ts";

const isRoot = process.getuid?.() === 0;

/** What the system throws when a file is made there. */
function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (thrown) {
    return thrown;
  }
  throw new Error("nothing was thrown");
}

describe.runIf(isRoot)("a file system that takes nothing more", () => {
  let disk = "";
  beforeEach(() => {
    disk = mkdtempSync(join(tmpdir(), "svc-upgrade-full-"));
  });
  afterEach(() => {
    execFileSync("umount", [disk]);
    rmSync(disk, { recursive: true });
  });
  const mount = (options: string): void => void execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk]);

  test("of bytes has its space shown", () => {
    mount("size=64k");
    const thrown = thrownBy(() => writeFileSync(`${disk}/big`, "n".repeat(131_072)));
    expect(whereUnwritable(thrown, disk)).toBe(`free space there: \`df -h ${disk}\` shows how much is left`);
  });

  test("of files has its inodes shown, where the directory was still to be made as well", () => {
    mount("nr_inodes=2");
    mkdirSync(`${disk}/last`);
    const thrown = thrownBy(() => mkdirSync(`${disk}/one-more`));
    expect(whereUnwritable(thrown, `${disk}/one-more/state`)).toBe(
      `remove files there, it has no inode left: \`df -i ${disk}\` shows how many there are`,
    );
  });

  test("because it is read-only is named by its mount", () => {
    mount("ro");
    const thrown = thrownBy(() => mkdirSync(`${disk}/x`));
    expect(whereUnwritable(thrown, `${disk}/x`)).toBe(`the file system is read-only: \`findmnt --target ${disk}\` names it`);
  });
});

test("whatever else it was is to be looked at", () => {
  const thrown = Object.assign(new Error("no"), { code: "EIO", errno: -5 });
  expect(whereUnwritable(thrown, "/etc")).toBe("look at `ls -ld /etc`, and at the kernel's log: `sudo journalctl -k`");
});
