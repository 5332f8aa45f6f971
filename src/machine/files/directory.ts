import { chmodSync, chownSync, closeSync, constants, existsSync, fchownSync, fstatSync, fsyncSync, lstatSync } from "node:fs";
import { mkdirSync, openSync, readlinkSync } from "node:fs";
import { Fault } from "../../rules/fault/fault.ts";
import { errnoOf } from "./errno.ts";
import { mostLinks, pathOnly, placeOf } from "./descriptor-path.ts";
import { isReplaceable, isTrustedOwner } from "./trusted.ts";

/** An open directory. Work below `at` stays in this directory, even if the names that led to it change. */
export type Directory = {
  readonly at: string;
  /** The first directory on the path that belongs neither to root nor to us. Its owner can exchange everything below it. */
  readonly foreign: Owner | undefined;
  readonly sync: () => void;
  readonly close: () => void;
};

export type Owner = { readonly uid: number; readonly gid: number };

export type DirectoryPath = {
  /**
   * "/" is the machine itself: links are followed if only root or this user can have made them. Below another root no link is followed, because it
   * would lead to a place of the machine.
   */
  readonly root: string;
  /** Everyone may read the directories that "make" creates, whatever the umask. */
  readonly missing: "make" | "refuse";
  /** The owner of a created directory, if it is not this user. */
  readonly owner?: Owner | undefined;
};

/**
 * Walks to a directory from one open directory to the next, so that nobody who may write on the path can lead us elsewhere. Uses names below
 * /proc/self/fd, because Node has no openat.
 */
export function openDirectory(path: string, way: DirectoryPath): Directory {
  const left = path.split("/");
  let links = 0;
  let walked = "";
  let here = openSync("/", passing);
  let foreign: Owner | undefined;
  try {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      if (name === "") continue;
      const next = enter(here, name, { path, way });
      if (typeof next === "string") {
        if ((links += 1) > mostLinks) throw untrusted(path, `there are more than ${mostLinks} links on the way`);
        left.unshift(...next.split("/"));
        if (!next.startsWith("/")) continue;
      }
      walked = typeof next === "string" ? "" : `${walked}/${name}`;
      const opened = typeof next === "string" ? openSync("/", passing) : next;
      closeSync(here);
      here = opened;
      const { uid, gid } = fstatSync(here);
      if (!isTrustedOwner(uid)) foreign ??= { uid, gid };
    }
  } catch (thrown) {
    closeSync(here);
    throw told(thrown, placeOf(here), walked);
  }
  const at = placeOf(here);
  return { at, foreign, sync: () => sync(at), close: () => closeSync(here) };
}

export function inDirectory<T>(path: string, way: DirectoryPath, work: (directory: Directory) => T): T {
  const directory = openDirectory(path, way);
  try {
    return work(directory);
  } catch (thrown) {
    throw told(thrown, directory.at, path);
  } finally {
    directory.close();
  }
}

/** Makes the missing directories of a path. */
export function makeDirectory(path: string, way: Omit<DirectoryPath, "missing">): void {
  openDirectory(path, { ...way, missing: "make" }).close();
}

/** Changes the owner, but not if the file has it already: a unit's sandbox forbids every change of owner, even to the same one. */
export function give(file: number, owner: Owner): void {
  if (isAnothers(file, owner)) fchownSync(file, owner.uid, owner.gid);
}

/**
 * Whether the owner has to change. Only root can give a file to a group that it is not in: others keep their own, as in a directory after `chown svc
 * DIRECTORY`.
 */
function isAnothers(file: number, owner: Owner): boolean {
  const { uid, gid } = fstatSync(file);
  return uid !== owner.uid || (gid !== owner.gid && process.geteuid?.() === 0);
}

/** Flags that need only the right to pass through a directory, as on any path. */
const passing: number = pathOnly | constants.O_DIRECTORY;

type Walk = { readonly path: string; readonly way: DirectoryPath };

/** Opens the directory with this name, or returns the target of its link. */
function enter(parent: number, name: string, walk: Walk): number | string {
  const at = `${placeOf(parent)}/${name}`;
  try {
    return openSync(at, passing | constants.O_NOFOLLOW);
  } catch (thrown) {
    switch (errnoOf(thrown)) {
      case "ENOENT":
        if (!existsSync("/proc/self/fd")) throw withoutProc();
        if (walk.way.missing === "refuse") throw thrown;
        return make(at, { parent, way: walk.way });
      case "ENOTDIR":
      case "ELOOP":
        return linkAt(at, { parent, name, walk }, thrown);
      default:
        throw thrown;
    }
  }
}

function make(at: string, { parent, way: { owner } }: { readonly parent: number; readonly way: DirectoryPath }): number {
  try {
    mkdirSync(at, 0o755);
  } catch (thrown) {
    // Another process of ours has just made it.
    if (errnoOf(thrown) === "EEXIST") return openSync(at, passing | constants.O_NOFOLLOW);
    throw thrown;
  }
  sync(placeOf(parent));
  const made = openSync(at, passing | constants.O_NOFOLLOW);
  // Sets the mode again, because the umask may have removed bits. The parent's owner may have exchanged the new directory by now.
  if (fstatSync(made).uid === process.geteuid?.()) {
    chmodSync(placeOf(made), 0o755);
    // Uses the directory's name below /proc, because chown refuses an O_PATH descriptor.
    if (owner !== undefined && isAnothers(made, owner)) chownSync(placeOf(made), owner.uid, owner.gid);
  }
  return made;
}

type Found = { readonly parent: number; readonly name: string; readonly walk: Walk };

function linkAt(at: string, { parent, name, walk: { path, way } }: Found, notEntered: unknown): string {
  const stats = lstatSync(at);
  if (!stats.isSymbolicLink()) throw notEntered;
  if (way.root !== "/") throw untrusted(path, `"${name}" on the way is a symbolic link, and below another root none is followed`);
  if (isReplaceable(fstatSync(parent), stats)) {
    throw untrusted(path, `"${name}" on the way is a symbolic link that another user could have put there`);
  }
  return readlinkSync(at);
}

/** Syncs the directory, because a power cut may lose a new name and bring the old one back. */
function sync(at: string): void {
  const file = openSync(`${at}/.`, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Puts the path that the user knows into a system error. */
function told(thrown: unknown, at: string, path: string): unknown {
  if (thrown instanceof Error && errnoOf(thrown) !== undefined) thrown.message = thrown.message.replaceAll(`${at}/`, `${path}/`);
  return thrown;
}

function untrusted(path: string, why: string): Fault {
  return new Fault("path-untrusted", {
    message: `nothing is written to ${path}: ${why}`,
    hint: `see who owns what on the way: \`namei -l ${path}\``,
  });
}

function withoutProc(): Fault {
  return new Fault("host-unsupported", {
    message: "/proc is not mounted, and without it no file can be written so that no link leads the writer elsewhere",
    hint: "mount it: `sudo mount -t proc proc /proc`",
  });
}
