import { existsSync } from "node:fs";
import type { LockHolder } from "../../../host/lock-holder.ts";
import { readFileCapped } from "../../../host/read-file.ts";

/** dnf's own locks: files with the number of a process, which count while that process lives. */
const locks: readonly string[] = [
  "/var/cache/dnf/metadata_lock.pid",
  "/var/cache/dnf/download_lock.pid",
  "/var/lib/dnf/rpmdb_lock.pid",
];
const longestBytes = 64;

export function pidLockHolder(below: string): LockHolder | undefined {
  for (const lock of locks) {
    const text = textOf(`${below}${lock}`)?.trim() ?? "";
    if (/^\d+$/.test(text) && existsSync(`/proc/${text}`))
      return { pid: Number(text), program: textOf(`/proc/${text}/comm`)?.trim() };
  }
  return undefined;
}

function textOf(path: string): string | undefined {
  const reading = readFileCapped(path, { capBytes: longestBytes, links: "refuse" });
  return reading.kind === "read" ? reading.text : undefined;
}
