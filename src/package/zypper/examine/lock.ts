import { existsSync } from "node:fs";
import type { LockHolder } from "../../../host/lock-holder.ts";
import { readFileCapped } from "../../../host/read-file.ts";

const capBytes = 64;

/** zypp's lock is a file with the number of a process, and counts for as long as that process lives. */
export function zyppLockHolder(below: string): LockHolder | undefined {
  const pid = textOf(`${below}/run/zypp.pid`) ?? "";
  if (!/^\d+$/.test(pid) || !existsSync(`/proc/${pid}`)) return undefined;
  return { pid: Number(pid), program: textOf(`/proc/${pid}/comm`) };
}

function textOf(path: string): string | undefined {
  const reading = readFileCapped(path, { capBytes, links: "refuse" });
  return reading.kind === "read" ? reading.text.trim() : undefined;
}
