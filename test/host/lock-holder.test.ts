import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { holderIn, lockHolder } from "../../src/host/lock-holder.ts";
import { inChroot, scratchFolder } from "./scratch.ts";

const folder = scratchFolder();

describe("who holds a lock", () => {
  const table = [
    "1: -> POSIX  ADVISORY  WRITE 1300 00:39:2247124 0 EOF",
    "1: POSIX  ADVISORY  WRITE 1252 00:39:2247124 0 EOF",
    "2: OFDLCK ADVISORY  WRITE -1 fe:01:1614481 0 EOF",
    "3: FLOCK  ADVISORY  READ 77 fe:1a:9007199254740993 0 EOF",
    "",
  ].join("\n");

  test.each([
    ["rather than who waits", { device: "0:57", inode: 2_247_124n }, 1252],
    ["however large its number", { device: "254:26", inode: 9_007_199_254_740_993n }, 77],
    ["but not of a number that is nearly the same", { device: "254:26", inode: 9_007_199_254_740_992n }, undefined],
    ["but not of that number on another file system", { device: "0:58", inode: 2_247_124n }, undefined],
    ["but not by a process that is not seen from here", { device: "254:1", inode: 1_614_481n }, undefined],
  ])("is read from the kernel's list, %s", (_title, file, pid) => {
    expect(holderIn(table, file)).toBe(pid);
  });

  // In a chroot the kernel's list of mounts does not say which file system the lock lies on.
  test.skipIf(inChroot())("is told with its program while it holds it, and not of another file", async () => {
    const [file, other] = [`${folder}/lock`, `${folder}/other`];
    writeFileSync(file, "");
    writeFileSync(other, "");
    const holder = spawn("flock", [file, "sh", "-c", "echo held; read _"], { stdio: ["pipe", "pipe", "inherit"] });
    await once(holder.stdout, "data");
    expect(lockHolder(file)).toEqual({ pid: holder.pid, program: "flock" });
    expect(lockHolder(other)).toBeUndefined();
    holder.stdin.end("\n");
    await once(holder, "close");
    expect(lockHolder(file)).toBeUndefined();
  });
});
