import { chmodSync, mkdirSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../fault/fault.ts";
import { errnoOf, errnoWords } from "../host/errno.ts";
import { readFileCapped } from "../host/read-file.ts";
import { writeFileAtomically } from "../host/write-file.ts";
import { printHold } from "../settings/hold-file.ts";
import type { Hold } from "../settings/settings.ts";

/** No fragment is larger. */
const capBytes: number = 64 * 1024;

/** Writes the hold in place of the one before, if there was one. What comes back puts everything as it was. */
export function writeHold(path: string, hold: Hold): () => void {
  const before = readFileCapped(path, { capBytes, links: "refuse" });
  makeFolder(dirname(path));
  write(path, printHold(hold));
  return () => {
    if (before.kind === "read") write(path, before.text);
    else removeHold(path);
  };
}

/** Whether there was one. */
export function removeHold(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT" || errnoOf(thrown) === "ENOTDIR") return false;
    throw refused(path, "removed", thrown);
  }
}

/** Readable by everyone, whatever the umask: who looks at the status needs no root. */
function makeFolder(folder: string): void {
  try {
    if (mkdirSync(folder, { recursive: true }) !== undefined) chmodSync(folder, 0o755);
  } catch (thrown) {
    throw refused(folder, "made", thrown);
  }
}

function write(path: string, text: string): void {
  writeFileAtomically(path, text, { mode: 0o644, fault: "file-failed" });
}

function refused(path: string, attempt: "made" | "removed", thrown: unknown): Fault {
  const isDenied = errnoOf(thrown) === "EACCES" || errnoOf(thrown) === "EPERM";
  return new Fault(isDenied ? "not-permitted" : "file-failed", {
    message: `${path} could not be ${attempt}: ${errnoWords(thrown)}`,
    hint: isDenied ? "run it as root" : `look at ls -ld ${dirname(path)} ${path}`,
    cause: thrown,
  });
}
