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

/** Who holds the lock, as it wrote down itself. */
export type Holder = { readonly pid: number; readonly doing: string };

export type Lock =
  | { readonly kind: "held"; readonly release: () => void }
  /** Undefined: the holder has not written down yet who it is. */
  | { readonly kind: "busy"; readonly holder: Holder | undefined };

/**
 * Takes the one lock of this state directory, or says who has it. `flock` locks the file description that it inherits from
 * us, and the lock stays with the description after the program has ended: the kernel gives it up when we close the file or
 * die, in whatever way. The file is never removed, or two could hold locks on two files of one name.
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

/** Our name goes first, so that the next one to be refused is not told of us. */
function release(file: number): void {
  ftruncateSync(file);
  closeSync(file);
}

/** Who holds the lock now, for whoever only looks: nobody whose process is gone, and nobody that may not be known. */
export function holderOf(path: string): Holder | undefined {
  const holder = readHolder(path);
  return holder !== undefined && isAlive(holder.pid) ? holder : undefined;
}

const longestDoing = 200;
const capBytes = 1024;
/** It does not wait for the lock; this is for a machine that is swapping. */
const flockTimeoutMs = 10_000;
const statusBusy = 1;
const programs = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };

/**
 * Nobody else may open it: whoever can read a file can also lock it, for ever. It belongs to whoever owns the directory, where root
 * comes first as well: else that user's own passes could never take it. Node's files are closed in every child.
 */
function openLock(root: string, path: string): number {
  try {
    return inDirectory(dirname(path), { root, missing: "make" }, ({ at }) => {
      const file = openSync(`${at}/${basename(path)}`, asItLies | constants.O_CREAT, 0o600);
      try {
        const owner = statSync(at);
        const stats = fstatSync(file);
        // What is not this directory's alone is neither emptied, nor given away, nor closed to others: it may be any file of the machine.
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
  // Made just now, or by a root that died in the next moment. Where something stands in it, somebody else wrote that.
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
    // Another user's process may not be signalled, and lives.
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
