import { chmodSync, chownSync, closeSync, constants, existsSync, fchownSync, fstatSync, fsyncSync, lstatSync } from "node:fs";
import { mkdirSync, openSync, readlinkSync } from "node:fs";
import { Fault } from "../../rules/fault/fault.ts";
import { errnoOf } from "./errno.ts";
import { mostLinks, pathOnly, placeOf } from "./descriptor-path.ts";
import { isReplaceable, isTrustedOwner } from "./trusted.ts";

/** An open directory: what is done below `at` is done in this one, whatever becomes of the names that led to it. */
export type Directory = {
  readonly at: string;
  /** The first on the way that is neither root's nor ours: its owner may exchange everything below. */
  readonly foreign: Owner | undefined;
  readonly sync: () => void;
  readonly close: () => void;
};

export type Owner = { readonly uid: number; readonly gid: number };

export type DirectoryPath = {
  /**
   * "/", the machine itself: links are followed that nobody but root, or whoever runs this, could have put there. Below another
   * root none is: it would lead to a place of the machine.
   */
  readonly root: string;
  /** What is made may be read by everyone, whatever the umask. */
  readonly missing: "make" | "refuse";
  /** Of what is made, if that is not whoever makes it. */
  readonly owner?: Owner | undefined;
};

/**
 * Goes down to a directory step by step, from one open directory to the next: nobody who may write on the way can lead the
 * writer elsewhere. Node has no openat; its names below /proc/self/fd do the same.
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

/** Makes what is missing of it. */
export function makeDirectory(path: string, way: Omit<DirectoryPath, "missing">): void {
  openDirectory(path, { ...way, missing: "make" }).close();
}

/** A unit's sandbox forbids every change of owner, to the same one too: what belongs to its owner already is left alone. */
export function give(file: number, owner: Owner): void {
  if (isAnothers(file, owner)) fchownSync(file, owner.uid, owner.gid);
}

function isAnothers(file: number, owner: Owner): boolean {
  const { uid, gid } = fstatSync(file);
  return uid !== owner.uid || gid !== owner.gid;
}

/** The right to pass through a directory is enough, as it is for a path. */
const passing: number = pathOnly | constants.O_DIRECTORY;

type Walk = { readonly path: string; readonly way: DirectoryPath };

/** The directory of that name, open; or where the link of that name leads. */
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
    // Another one of us was quicker.
    if (errnoOf(thrown) === "EEXIST") return openSync(at, passing | constants.O_NOFOLLOW);
    throw thrown;
  }
  sync(placeOf(parent));
  const made = openSync(at, passing | constants.O_NOFOLLOW);
  // The umask may have taken bits away. Whoever owns the directory around it may have put another one in its place by now.
  if (fstatSync(made).uid === process.geteuid?.()) {
    chmodSync(placeOf(made), 0o755);
    // By its name below /proc: what is opened for passing alone cannot be given away itself.
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

/** Without it a new name may be lost in a power cut, and the old one be back. */
function sync(at: string): void {
  const file = openSync(`${at}/.`, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A system error with the path that people know. */
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
