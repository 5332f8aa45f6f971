import { unlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import { Fault } from "../../rules/fault/fault.ts";
import { inDirectory, makeDirectory } from "../../machine/files/directory.ts";
import { errnoOf, errnoWords, isDenied } from "../../machine/files/errno.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { whereUnwritable } from "../../machine/files/unwritable.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";

/** A settings fragment that one command writes and another removes: a hold, or a pin. */
export type OwnFragment = { readonly root: string; readonly path: string };

const capBytes: number = 64 * 1024;

/** Writes the fragment in place of an earlier one. The returned function undoes that. */
export function writeOwnFragment(place: OwnFragment, text: string): () => void {
  const before = readFileCapped(place.path, { capBytes, links: "refuse" });
  makeFolder(dirname(place.path), place.root);
  write(place, text);
  return () => {
    if (before.kind === "read") write(place, before.text);
    else removeOwnFragment(place);
  };
}

/** Says whether the fragment was there. */
export function removeOwnFragment({ root, path }: OwnFragment): boolean {
  try {
    inDirectory(dirname(path), { root, missing: "refuse" }, ({ at }) => unlinkSync(`${at}/${basename(path)}`));
    return true;
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT" || errnoOf(thrown) === "ENOTDIR") return false;
    throw refused(path, "removed", thrown);
  }
}

/** Everyone may read it, whatever the umask: `status` needs no root. */
function makeFolder(folder: string, root: string): void {
  try {
    makeDirectory(folder, { root });
  } catch (thrown) {
    throw refused(folder, "made", thrown);
  }
}

function write({ root, path }: OwnFragment, text: string): void {
  writeFileAtomically(path, text, { root, mode: 0o644, fault: "file-failed" });
}

function refused(path: string, attempt: "made" | "removed", thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  const isRefused = isDenied(thrown);
  return new Fault(isRefused ? "not-permitted" : "file-failed", {
    message: `${path} could not be ${attempt}: ${errnoWords(thrown)}`,
    hint: isRefused ? "run it as root" : whereUnwritable(thrown, dirname(path)),
    cause: thrown,
  });
}
