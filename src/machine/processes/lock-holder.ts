import { existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import { mountOf } from "../files/mount.ts";
import { belowRoot } from "../files/paths.ts";
import { readFileCapped, readText } from "../files/read-file.ts";

/** The program is unknown if this user may not see the process. */
export type LockHolder = { readonly pid: number; readonly program: string | undefined };

const lockTable = "/proc/locks";
const capBytes: number = 4 * 1024 * 1024;
/** The kernel keeps 15 characters of a name. */
const longestProgramBytes = 64;
/** The name of our runtime's first thread, which the kernel shows for the process. */
const mainThread = "MainThread";

/**
 * The process that holds any lock on the file, by the kernel's list. Does not try the lock, which would keep others out and needs the right to write.
 * Undefined if nobody visible from here holds it.
 */
export function lockHolder(path: string): LockHolder | undefined {
  const reading = readFileCapped(lockTable, { capBytes, links: "refuse" });
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (reading.kind !== "read" || found === undefined) return undefined;
  // Without a mount point, a chroot's table of mounts does not show the root's own mount.
  const device = mountOf(path)?.device ?? deviceOf(found.dev);
  const pid = holderIn(reading.text, { device, inode: found.ino });
  return pid === undefined ? undefined : { pid, program: programOf(pid) };
}

/** Finds the first held lock of a list, below a root. */
export function lockHolderAmong(root: string, locks: readonly string[]): LockHolder | undefined {
  const there = locks.map((lock) => belowRoot(root, lock)).filter((path) => existsSync(path));
  return there.map(lockHolder).find((holder) => holder !== undefined);
}

/** Finds the first held lock among files that hold a process id. They count while that process lives. */
export function pidLockHolderAmong(root: string, locks: readonly string[]): LockHolder | undefined {
  for (const lock of locks) {
    const pid = readText(belowRoot(root, lock), { capBytes: longestProgramBytes, links: "refuse" })?.trim() ?? "";
    if (/^\d+$/.test(pid) && existsSync(`/proc/${pid}`)) return { pid: Number(pid), program: programOf(Number(pid)) };
  }
  return undefined;
}

/** The kernel's identity of a file, with MAJOR:MINOR in decimal. */
export type FileIdentity = { readonly device: string; readonly inode: bigint };

/** Reads `3: POSIX  ADVISORY  WRITE 1252 00:39:2247124 0 EOF`, with the device in hexadecimal. A line with an arrow is a waiter, not a holder. */
export function holderIn(table: string, { device, inode }: FileIdentity): number | undefined {
  for (const line of table.split("\n")) {
    const [, pid, major = "", minor = "", found] = /^\d+: \w+ +\w+ +\w+ +(\d+) ([0-9a-f]+):([0-9a-f]+):(\d+) /.exec(line) ?? [];
    const on = `${Number.parseInt(major, 16)}:${Number.parseInt(minor, 16)}`;
    if (pid !== undefined && on === device && found === String(inode)) return Number(pid);
  }
  return undefined;
}

/** MAJOR:MINOR, unpacked from glibc's number. */
export function deviceOf(dev: bigint): string {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
  return `${major}:${BigInt.asUintN(32, minor)}`;
}

function programOf(pid: number): string | undefined {
  const name = readText(`/proc/${pid}/comm`, { capBytes: longestProgramBytes, links: "refuse" })?.trim();
  return name === mainThread ? (wordOf(pid) ?? name) : name;
}

function wordOf(pid: number): string | undefined {
  const [word = ""] = readText(`/proc/${pid}/cmdline`, { capBytes, links: "refuse" })?.split("\0") ?? [];
  return word === "" ? undefined : basename(word);
}
