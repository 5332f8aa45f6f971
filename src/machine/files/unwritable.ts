import { existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { errnoOf } from "./errno.ts";

export function isFull(thrown: unknown): boolean {
  const errno = errnoOf(thrown);
  return errno === "ENOSPC" || errno === "EDQUOT";
}

/** The command to type after a failed write to a directory, by the system's error. */
export function whereUnwritable(thrown: unknown, directory: string): string {
  if (isFull(thrown)) return makeRoom(directory);
  const there = nearestExisting(directory);
  if (errnoOf(thrown) === "ENOENT" && there !== directory) return `make the directory: \`sudo mkdir -p ${directory}\``;
  if (errnoOf(thrown) === "EROFS") return `the file system is read-only: \`findmnt --target ${there}\` names it`;
  return `look at \`ls -ld ${there}\`, and at the kernel's log: \`sudo journalctl -k\``;
}

/** The command that shows why a file system is full. None shows both bytes and inodes. */
export function makeRoom(path: string): string {
  const there = nearestExisting(path);
  return hasNoInode(there)
    ? `remove files there, it has no inode left: \`df -i ${there}\` shows how many there are`
    : `free space there: \`df -h ${there}\` shows how much is left`;
}

function hasNoInode(path: string): boolean {
  const { files, ffree } = statfsSync(path);
  // Some file systems make inodes as needed and report 0 for both.
  return files > 0 && ffree === 0;
}

export function nearestExisting(path: string): string {
  return existsSync(path) || path === "/" ? path : nearestExisting(dirname(path));
}
