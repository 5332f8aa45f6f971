import { closeSync, constants, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { Fault } from "../../rules/fault/fault.ts";
import { give, inDirectory, type Owner, type DirectoryPath } from "./directory.ts";
import { errnoOf, errnoWords, isDenied } from "./errno.ts";
import { whereUnwritable } from "./unwritable.ts";

export type Writing = {
  /** The root that the file lies below: "/" for the machine itself. */
  readonly root: string;
  readonly mode: number;
  /** The file's owner, if it is not this user. */
  readonly owner?: Owner | undefined;
  /** Whether a missing directory is made; by default it is not. */
  readonly missing?: DirectoryPath["missing"] | undefined;
  /** The fault's code. */
  readonly fault: "state-unwritable" | "file-failed";
};

/**
 * Writes a file, which then has either its old or its whole new text, even after a power cut. Replaces a link, a pipe or a hard link of that name
 * instead of writing to it.
 */
export function writeFileAtomically(path: string, text: string, { root, fault, missing = "refuse", ...made }: Writing): void {
  try {
    inDirectory(dirname(path), { root, missing }, (directory) => {
      const name = basename(path);
      const temporary = `${directory.at}/.${name}.${process.pid}.tmp`;
      try {
        writeNew(temporary, text, made);
        renameSync(temporary, `${directory.at}/${name}`);
        directory.sync();
      } catch (thrown) {
        rmSync(temporary, { force: true });
        throw thrown;
      }
    });
  } catch (thrown) {
    throw thrown instanceof Fault ? thrown : unwritable(path, thrown, fault);
  }
}

function writeNew(path: string, text: string, { mode, owner }: Pick<Writing, "mode" | "owner">): void {
  const file = openNew(path, mode);
  try {
    writeFileSync(file, text);
    // Sets the mode again, because the umask may have removed bits.
    fchmodSync(file, mode);
    if (owner !== undefined) give(file, owner);
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
    // Our own process id is in the name, so the process that left the file is dead.
    rmSync(path);
    return openSync(path, newFile, mode);
  }
}

function unwritable(path: string, thrown: unknown, code: Writing["fault"]): Fault {
  return new Fault(code, {
    message: `${path} could not be written: ${errnoWords(thrown)}`,
    hint: isDenied(thrown) ? "run it as root" : whereUnwritable(thrown, dirname(path)),
    cause: thrown,
  });
}
