import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmSync,
  type Stats,
} from "node:fs";
import { dirname } from "node:path";
import { isClusterFault } from "../../../rules/fault/tell-fault.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { errnoWords } from "../../../machine/files/errno.ts";
import { kindOf } from "../../../machine/files/read-file.ts";
import { isFull, makeRoom, whereUnwritable } from "../../../machine/files/unwritable.ts";

/** Makes the store's directory, or checks that nobody else can write there, because SQLite opens its files by name. */
export function prepareDirectory(path: string): void {
  const directory = dirname(path);
  placing(path, () => {
    mkdirSync(directory, { mode: 0o700, recursive: true });
    const why = whyNoDirectory(lstatSync(directory));
    if (why !== undefined) throw refused(path, `its directory ${directory} ${why}`);
  });
}

function whyNoDirectory(stats: Stats): string | undefined {
  if (!stats.isDirectory()) return stats.isSymbolicLink() ? "is a symbolic link" : "is no directory";
  if (stats.uid !== process.geteuid?.()) return `belongs to user ${stats.uid}`;
  return (stats.mode & 0o022) === 0 ? undefined : "may be written by other users";
}

/**
 * Whether the file exists, is a plain file of ours, and nobody else may read it. Does not open it, because closing a file would release this
 * process's locks on it.
 */
export function isOwnFile(path: string): boolean {
  return placing(path, () => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return false;
    const why = whyForeign(stats);
    if (why !== undefined) throw refused(path, why);
    if ((stats.mode & 0o777) !== 0o600) chmodSync(path, 0o600);
    return true;
  });
}

function whyForeign(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return "it is a symbolic link";
  if (!stats.isFile()) return `it is ${kindOf(stats)}`;
  if (stats.nlink !== 1) return "it has another name elsewhere";
  const me = process.geteuid?.();
  return stats.uid === me ? undefined : `it belongs to user ${stats.uid}, and this program runs as user ${me}`;
}

/** Makes an empty file. First removes any other file of that name. */
export function makeFile(path: string): void {
  placing(path, () => {
    rmSync(path, { force: true });
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
    try {
      fchmodSync(file, 0o600);
    } finally {
      closeSync(file);
    }
  });
}

/** Syncs a directory, because a power cut may lose a new name. */
export function syncDirectory(path: string): void {
  syncPath(dirname(path));
}

export function syncPath(path: string): void {
  const file = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export function placing<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw isClusterFault(thrown) ? thrown : unusable(path, thrown);
  }
}

function unusable(path: string, thrown: unknown): Fault {
  const directory = dirname(path);
  // The error may be about a file beside the store.
  const cause = thrown instanceof Fault ? thrown.cause : thrown;
  return new Fault(isFull(cause) ? "store-full" : "store-failed", {
    message: `the store ${path} cannot be used: ${errnoWords(cause)}`,
    hint: isFull(cause) ? makeRoom(directory) : whereUnwritable(cause, directory),
    cause,
  });
}

function refused(path: string, why: string): Fault {
  return new Fault("store-failed", {
    message: `the store ${path} is not opened: ${why}`,
    hint: `see who owns what: \`namei -l ${path}\`; the store and its directory belong to auth's user alone`,
  });
}
