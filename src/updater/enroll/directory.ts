import { closeSync, constants, fchmodSync, fchownSync, fstatSync, openSync, rmdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { inDirectory, makeDirectory } from "../../machine/files/directory.ts";
import { errnoOf } from "../../machine/files/errno.ts";
import { reachIn } from "../../machine/files/foreign-file.ts";
import { changing, orNothing, unchanged } from "./file-change.ts";
import type { SchedulePlaces } from "./places.ts";

/** Makes a directory with its mode, whatever the umask. */
export function ensureDirectory(path: string, root: string): void {
  changing(path, () => makeDirectory(path, { root }));
}

/** Removes a directory if it is empty. It stays if others have files in it. */
export function removeEmpty(path: string, root: string): "removed" | "kept" {
  return changing(path, () =>
    inDirectory(dirname(path), { root, missing: "refuse" }, ({ at }) => {
      try {
        rmdirSync(`${at}/${basename(path)}`);
        return "removed";
      } catch (thrown) {
        if (errnoOf(thrown) === "ENOTEMPTY") return "kept";
        throw thrown;
      }
    }),
  );
}

/** Who owns a directory during the work, and who afterwards. */
export type Ownership = { readonly meanwhile: number; readonly afterwards: number };

/**
 * Works in a directory that another user may own. Root owns it meanwhile and nobody else can write in it, so no file is replaced after it was
 * checked. If the work fails, the owner gets it back. `at` names this directory even if its path is given to another one.
 */
export function insideTaken<T>(
  { root, directory: path }: Pick<SchedulePlaces, "root" | "directory">,
  { meanwhile, afterwards }: Ownership,
  work: (at: string) => T,
): T {
  const directory = enter(path, root);
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

function enter(path: string, root: string): number {
  const opened = changing(path, () =>
    inDirectory(dirname(path), { root, missing: "refuse" }, ({ at }) =>
      reachIn(at, basename(path), (place) => {
        return { kind: "reached", value: openSync(place, constants.O_RDONLY | constants.O_DIRECTORY) } as const;
      }),
    ),
  );
  const directory = orNothing(path, opened);
  if (directory === undefined) throw unchanged(path, "it is gone");
  return directory;
}

/** Changes only the owner, not the group. */
export function giveTo(file: number, uid: number): void {
  const { uid: now, gid } = fstatSync(file);
  if (now !== uid) fchownSync(file, uid, gid);
}
