import { closeSync, constants, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { Fault } from "../fault/fault.ts";
import { errnoOf, errnoWords } from "./errno.ts";

export type Writing = {
  readonly mode: number;
  /** What it is called when it fails. */
  readonly fault: "state-unwritable" | "file-failed";
};

/** The file holds either what it held before or the whole of the text, also after a power cut. */
export function writeFileAtomically(path: string, text: string, writing: Writing): void {
  const directory = dirname(path);
  const temporary = `${directory}/.${basename(path)}.${process.pid}.tmp`;
  try {
    writeNew(temporary, text, writing.mode);
    renameSync(temporary, path);
    syncDirectory(directory);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw unwritable(path, thrown, writing.fault);
  }
}

function writeNew(path: string, text: string, mode: number): void {
  const file = openNew(path, mode);
  try {
    writeFileSync(file, text);
    // The umask may have taken bits away.
    fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

function openNew(path: string, mode: number): number {
  try {
    return openSync(path, newFile, mode);
  } catch (thrown) {
    if (errnoOf(thrown) !== "EEXIST") throw thrown;
    // Our own process id is in the name: whoever left it is dead.
    rmSync(path);
    return openSync(path, newFile, mode);
  }
}

/** Without it the rename may be lost in a power cut, and the old text be back. */
function syncDirectory(path: string): void {
  const directory = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

function unwritable(path: string, thrown: unknown, code: Writing["fault"]): Fault {
  return new Fault(code, {
    message: `${path} could not be written: ${errnoWords(thrown)}`,
    hint: hintFor(errnoOf(thrown), dirname(path)),
    cause: thrown,
  });
}

function hintFor(errno: string | undefined, directory: string): string {
  switch (errno) {
    case "ENOSPC":
    case "EDQUOT":
      return `make room there; df -h ${directory} and df -i ${directory} say how much there is`;
    case "EACCES":
    case "EPERM":
      return "run it as root";
    case "EROFS":
      return `the file system is read-only; findmnt -T ${directory} names it`;
    default:
      return `look at ls -ld ${directory} and at the kernel's log, journalctl -k`;
  }
}
