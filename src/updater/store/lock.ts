import { spawnSync } from "node:child_process";
import { closeSync, constants, fchmodSync, fchownSync, fstatSync, ftruncateSync } from "node:fs";
import { openSync, statSync, writeSync, type Stats } from "node:fs";
import { basename, dirname } from "node:path";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { inDirectory } from "../../machine/files/directory.ts";
import { errnoOf, errnoWords, isDenied } from "../../machine/files/errno.ts";
import type { Paths } from "../../machine/files/paths.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { whereUnwritable } from "../../machine/files/unwritable.ts";

/** Who holds the lock, as the holder wrote it down. */
export type Holder = { readonly pid: number; readonly doing: string };

export type Lock =
  | { readonly kind: "held"; readonly release: () => void }
  /** Undefined until the holder has written down who it is. */
  | { readonly kind: "busy"; readonly holder: Holder | undefined };

/**
 * Takes the only lock of this state directory, or says who holds it. `flock` locks the file description that it inherits from us. The lock stays
 * after `flock` has ended; the kernel releases it when we close the file or die. Never removes the file, or two processes could lock two files of one
 * name.
 */
export function takeLock({ root, lock: path }: Pick<Paths, "root" | "lock">, doing: string): Lock {
  const file = openLock(root, path);
  try {
    if (!locks(file, path)) {
      closeSync(file);
      return { kind: "busy", holder: readHolder(path) };
    }
    ftruncateSync(file);
    writeSync(file, `${process.pid} ${quote(doing, longestDoing)}\n`, 0);
  } catch (thrown) {
    closeSync(file);
    throw thrown instanceof Fault ? thrown : unwritable(path, thrown);
  }
  return { kind: "held", release: () => release(file) };
}

/** Clears our name first, so that the next process which is refused does not read it. */
function release(file: number): void {
  ftruncateSync(file);
  closeSync(file);
}

/** Who holds the lock now; undefined if its process is gone, or if this user may not know. */
export function holderOf(path: string): Holder | undefined {
  const holder = readHolder(path);
  return holder !== undefined && isAlive(holder.pid) ? holder : undefined;
}

const longestDoing = 200;
const capBytes = 1024;
/** Generous, for a machine that is swapping: `flock` itself does not wait for the lock. */
const flockTimeoutMs = 10_000;
const statusBusy = 1;
const programs = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };

/**
 * Opens the lock so that nobody else can: a user who can read a file can lock it for ever. The directory's owner gets it even if root makes it first,
 * or that user's own passes could never take it. Node closes its files in every child.
 */
function openLock(root: string, path: string): number {
  try {
    return inDirectory(dirname(path), { root, missing: "make" }, ({ at }) => {
      const file = openSync(`${at}/${basename(path)}`, asItLies | constants.O_CREAT, 0o600);
      try {
        const owner = statSync(at);
        const stats = fstatSync(file);
        // Checks that the file is ours: otherwise it may be any file of the machine, and we must not empty it, or change its owner or mode.
        const why = whyForeign(stats, owner);
        if (why !== undefined) throw foreign(path, why);
        fchmodSync(file, 0o600);
        if (stats.uid !== owner.uid) fchownSync(file, owner.uid, owner.gid);
        return file;
      } catch (thrown) {
        closeSync(file);
        throw thrown;
      }
    });
  } catch (thrown) {
    throw thrown instanceof Fault ? thrown : unwritable(path, thrown);
  }
}

function whyForeign(stats: Stats, directory: Pick<Stats, "uid">): string | undefined {
  if (!stats.isFile()) return "it is no file";
  if (stats.nlink !== 1) return "it has another name elsewhere";
  if (stats.uid === directory.uid) return undefined;
  // An empty file of ours was made just now, or by a root process that died at once. Text in it is somebody else's.
  const isNew = stats.uid === process.geteuid?.() && stats.size === 0;
  return isNew ? undefined : `it belongs to user ${stats.uid}, and the directory around it to user ${directory.uid}`;
}

const asItLies = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

function foreign(path: string, why: string): Fault {
  return new Fault("path-untrusted", {
    message: `${path} is not used as a lock: ${why}`,
    hint: `look at it, then remove it: \`ls -l ${path}\`, \`sudo rm -r ${path}\``,
  });
}

function locks(file: number, path: string): boolean {
  const { status, error, stderr } = spawnSync("flock", ["-n", "3"], {
    stdio: ["ignore", "ignore", "pipe", file],
    env: programs,
    timeout: flockTimeoutMs,
    encoding: "utf8",
  });
  if (error !== undefined && errnoOf(error) === "ENOENT") {
    throw new Fault("host-unsupported", {
      message: "the program flock is missing, without which two passes could run at once",
      hint: "install the package util-linux",
      cause: error,
    });
  }
  if (status === 0) return true;
  if (status === statusBusy) return false;
  throw new Fault("os-failed", {
    message: `${path} could not be locked: ${error === undefined ? quote(stderr) : errnoWords(error)}`,
    hint: `see whether the file system of ${dirname(path)} knows locks: \`sudo flock -n ${path} true\``,
    cause: error,
  });
}

function readHolder(path: string): Holder | undefined {
  const reading = readFileCapped(path, { capBytes, links: "refuse" });
  const match = reading.kind === "read" ? /^(\d{1,10}) ([^\n]*)\n$/.exec(reading.text) : null;
  return match === null ? undefined : { pid: Number(match[1]), doing: quote(match[2] ?? "", longestDoing) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // The process lives, but belongs to another user and may not be signalled.
    return errnoOf(thrown) === "EPERM";
  }
}

function unwritable(path: string, thrown: unknown): Fault {
  const isRefused = isDenied(thrown);
  return new Fault(isRefused ? "not-permitted" : "state-unwritable", {
    message: `${path} could not be opened for locking: ${errnoWords(thrown)}`,
    hint: isRefused
      ? `run it as root; in the unit, see whose it is: \`sudo ls -l ${path}\``
      : whereUnwritable(thrown, dirname(path)),
    cause: thrown,
  });
}
