import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  mkdirSync,
  openSync,
  rmdirSync,
} from "node:fs";
import { errnoOf } from "../host/errno.ts";
import { changing } from "./changing.ts";

/** Whatever the umask is. */
export function makeDirectory(path: string): void {
  changing(path, () => {
    if (existsSync(path)) return;
    mkdirSync(path, { recursive: true });
    chmodSync(path, 0o755);
  });
}

/** What somebody else put there stays. */
export function removeEmpty(path: string): "removed" | "kept" {
  return changing(path, () => {
    try {
      rmdirSync(path);
      return "removed";
    } catch (thrown) {
      if (errnoOf(thrown) === "ENOTEMPTY") return "kept";
      throw thrown;
    }
  });
}

/** Who owns a directory while it is worked in, and who afterwards. */
export type Ownership = { readonly meanwhile: number; readonly afterwards: number };

/**
 * Works in a directory that a stranger may own. Meanwhile it is ours and no one else may write in it: what was looked at
 * cannot become another file, and a file with one name has that name here. If the work fails, it is its owner's again.
 */
export function insideTaken<T>(path: string, { meanwhile, afterwards }: Ownership, work: () => T): T {
  const directory = changing(path, () => openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW));
  try {
    const { uid, mode } = fstatSync(directory);
    const writable = mode & 0o022;
    changing(path, () => giveTo(directory, meanwhile));
    if (writable !== 0) fchmodSync(directory, mode & 0o7755);
    let next = uid;
    try {
      const result = work();
      next = afterwards;
      return result;
    } finally {
      if (writable !== 0) fchmodSync(directory, mode & 0o7777);
      changing(path, () => giveTo(directory, next));
    }
  } finally {
    closeSync(directory);
  }
}

/** The group stays: what is given is what the owner may. */
export function giveTo(file: number, uid: number): void {
  const { uid: now, gid } = fstatSync(file);
  if (now !== uid) fchownSync(file, uid, gid);
}
