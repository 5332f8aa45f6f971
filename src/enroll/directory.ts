import { closeSync, constants, fchmodSync, fchownSync, fstatSync, openSync, rmdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { inDirectory, makeDirectory } from "../host/directory.ts";
import { errnoOf } from "../host/errno.ts";
import { changing } from "./changing.ts";
import type { Places } from "./places.ts";

/** Whatever the umask is. */
export function ensureDirectory(path: string, root: string): void {
  changing(path, () => makeDirectory(path, { root }));
}

/** What somebody else put there stays. */
export function removeEmpty(path: string, root: string): "removed" | "kept" {
  return changing(path, () =>
    besides(path, root, (at) => {
      try {
        rmdirSync(at);
        return "removed";
      } catch (thrown) {
        if (errnoOf(thrown) === "ENOTEMPTY") return "kept";
        throw thrown;
      }
    }),
  );
}

/** Who owns a directory while it is worked in, and who afterwards. */
export type Ownership = { readonly meanwhile: number; readonly afterwards: number };

/**
 * Works in a directory that a stranger may own. Meanwhile it is ours and no one else may write in it: what was looked at
 * cannot become another file, and a file with one name has that name here. If the work fails, it is its owner's again. `at` is
 * this directory, whatever has its name by then.
 */
export function insideTaken<T>(
  { root, directory: path }: Pick<Places, "root" | "directory">,
  { meanwhile, afterwards }: Ownership,
  work: (at: string) => T,
): T {
  const entered = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  const directory = changing(path, () => besides(path, root, (at) => openSync(at, entered)));
  try {
    const { uid, mode } = fstatSync(directory);
    const writable = mode & 0o022;
    changing(path, () => giveTo(directory, meanwhile));
    if (writable !== 0) fchmodSync(directory, mode & 0o7755);
    let next = uid;
    try {
      const result = work(`/proc/self/fd/${directory}`);
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

/** What has that name, in the directory that it was looked for in. */
function besides<T>(path: string, root: string, work: (at: string) => T): T {
  return inDirectory(dirname(path), { root, missing: "refuse" }, ({ at }) => work(`${at}/${basename(path)}`));
}
