import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { deviceOf, holderIn, lockHolder } from "../../../src/machine/processes/lock-holder.ts";
import { scratchFolder } from "../files/scratch.ts";

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

  test.each([
    [0x803n, "8:3"],
    [0xfe01n, "254:1"],
    [0x39n, "0:57"],
    // Minor numbers beyond 255 and major ones beyond 4095 have their upper bits elsewhere.
    [(0x1200n << 12n) | (1n << 8n) | 0x34n, `1:${0x1200 + 0x34}`],
    [(0x1000n << 32n) | 0x05n, "4096:5"],
  ])("the device that stat tells as %d is %s in the kernel's list", (dev, told) => {
    expect(deviceOf(dev)).toBe(told);
  });

  // Also in a chroot, where the kernel's list of mounts does not say which file system the lock lies on.
  test("is told with its program while it holds it, and not of another file", async () => {
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
