import { unlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import { Fault } from "../fault/fault.ts";
import { inDirectory, makeDirectory } from "../host/directory.ts";
import { errnoOf, errnoWords } from "../host/errno.ts";
import type { Paths } from "../host/paths.ts";
import { readFileCapped } from "../host/read-file.ts";
import { writeFileAtomically } from "../host/write-file.ts";
import { printHold } from "../settings/hold-file.ts";
import type { Hold } from "../decide/policy.ts";

type HoldPlace = Pick<Paths, "root" | "hold">;

/** No fragment is larger. */
const capBytes: number = 64 * 1024;

/** Writes the hold in place of the one before, if there was one. What comes back puts everything as it was. */
export function writeHold(place: HoldPlace, hold: Hold): () => void {
  const before = readFileCapped(place.hold, { capBytes, links: "refuse" });
  makeFolder(dirname(place.hold), place.root);
  write(place, printHold(hold));
  return () => {
    if (before.kind === "read") write(place, before.text);
    else removeHold(place);
  };
}

/** Whether there was one. */
export function removeHold({ root, hold: path }: HoldPlace): boolean {
  try {
    inDirectory(dirname(path), { root, missing: "refuse" }, ({ at }) => unlinkSync(`${at}/${basename(path)}`));
    return true;
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT" || errnoOf(thrown) === "ENOTDIR") return false;
    throw refused(path, "removed", thrown);
  }
}

/** Readable by everyone, whatever the umask: who looks at the status needs no root. */
function makeFolder(folder: string, root: string): void {
  try {
    makeDirectory(folder, { root });
  } catch (thrown) {
    throw refused(folder, "made", thrown);
  }
}

function write({ root, hold }: HoldPlace, text: string): void {
  writeFileAtomically(hold, text, { root, mode: 0o644, fault: "file-failed" });
}

function refused(path: string, attempt: "made" | "removed", thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  const isDenied = errnoOf(thrown) === "EACCES" || errnoOf(thrown) === "EPERM";
  return new Fault(isDenied ? "not-permitted" : "file-failed", {
    message: `${path} could not be ${attempt}: ${errnoWords(thrown)}`,
    hint: isDenied ? "run it as root" : `look at ls -ld ${dirname(path)} ${path}`,
    cause: thrown,
  });
}
