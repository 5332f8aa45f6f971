import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { writeFileAtomically } from "../../../src/machine/files/write-file.ts";
import { scratchFolder } from "./scratch.ts";

const folder = scratchFolder();
const writing = { root: "/", mode: 0o644, fault: "state-unwritable" } as const;

function faultOf(write: () => void): Fault {
  try {
    write();
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
  throw new Error("nothing was thrown");
}

describe("a file that is written", () => {
  test("holds the whole text, with its mode whatever the umask is, and leaves nothing beside it", () => {
    mkdirSync(`${folder}/clean`);
    const umask = process.umask(0o077);
    writeFileAtomically(`${folder}/clean/state`, "first\n", writing);
    writeFileAtomically(`${folder}/clean/state`, "second\n", writing);
    process.umask(umask);
    expect(readFileSync(`${folder}/clean/state`, "utf8")).toBe("second\n");
    expect(statSync(`${folder}/clean/state`).mode & 0o777).toBe(0o644);
    expect(readdirSync(`${folder}/clean`)).toEqual(["state"]);
  });

  test("takes the place of a link and does not write through it", () => {
    writeFileSync(`${folder}/target`, "untouched");
    symlinkSync("target", `${folder}/link`);
    writeFileAtomically(`${folder}/link`, "own", writing);
    expect(readFileSync(`${folder}/target`, "utf8")).toBe("untouched");
    expect(readFileSync(`${folder}/link`, "utf8")).toBe("own");
  });

  test("is written although a dead process left its half", () => {
    writeFileSync(`${folder}/.again.${process.pid}.tmp`, "half");
    writeFileAtomically(`${folder}/again`, "whole", writing);
    expect(readFileSync(`${folder}/again`, "utf8")).toBe("whole");
    expect(readdirSync(folder).filter((name) => name.includes("again"))).toEqual(["again"]);
  });

  test("in a directory that is not there is a fault with path and reason", () => {
    const fault = faultOf(() => {
      writeFileAtomically(`${folder}/nowhere/state`, "text", writing);
    });
    expect(fault.code).toBe("state-unwritable");
    expect(fault.message).toBe(`${folder}/nowhere/state could not be written: no such file or directory (ENOENT)`);
    expect(fault.cause).toBeInstanceOf(Error);
  });

  test.runIf(process.getuid?.() === 0)("by a user who may not is a fault whose hint is root", () => {
    mkdirSync(`${folder}/roots`, { mode: 0o755 });
    chmodSync(folder, 0o755);
    process.seteuid?.(65_534);
    try {
      const fault = faultOf(() => {
        writeFileAtomically(`${folder}/roots/state`, "text", { root: "/", mode: 0o644, fault: "file-failed" });
      });
      expect(fault).toMatchObject({ code: "file-failed", hint: "run it as root" });
    } finally {
      process.seteuid?.(0);
    }
  });

  test.runIf(process.getuid?.() === 0)("on a full file system keeps what was there, and says that there is no room", () => {
    const disk = `${folder}/disk`;
    mkdirSync(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]);
    try {
      writeFileAtomically(`${disk}/state`, "old", writing);
      const fault = faultOf(() => {
        writeFileAtomically(`${disk}/state`, "n".repeat(100_000), writing);
      });
      expect(fault.message).toBe(`${disk}/state could not be written: no space left on device (ENOSPC)`);
      expect(fault.hint).toContain("df -h");
      expect(readFileSync(`${disk}/state`, "utf8")).toBe("old");
      expect(readdirSync(disk)).toEqual(["state"]);
    } finally {
      execFileSync("umount", [disk]);
    }
  });
});
