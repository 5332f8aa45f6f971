import { closeSync, constants, fchmodSync, fsyncSync, openSync, renameSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { Fault } from "../../../rules/fault/fault.ts";
import { inDirectory } from "../../../machine/files/directory.ts";
import { errnoWords } from "../../../machine/files/errno.ts";
import { isFull, whereUnwritable } from "../../../machine/files/unwritable.ts";
import type { RpmCalls } from "./calls.ts";

export type Placing = {
  readonly path: string;
  /** A path for the copy, on the target's file system, where nobody looks. */
  readonly copy: string;
  readonly target: string;
  /** The root in which the target is. */
  readonly root: string;
};

/**
 * Puts a copy of the package file at the target, complete even after a power cut. Does not move the file itself, which may be a hard link that
 * somebody else can write.
 */
export async function placeWhole(judge: RpmCalls["judge"], { path, copy, target, root }: Placing): Promise<"placed" | "spoilt"> {
  try {
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    settle(copy);
    // Checks the copy: the manager checked what it fetched, but this file may be older.
    if ((await judge(copy)) === "spoilt") return "spoilt";
    inDirectory(dirname(target), { root, missing: "refuse" }, ({ at, sync }) => {
      renameSync(copy, `${at}/${basename(target)}`);
      sync();
    });
    return "placed";
  } catch (thrown) {
    if (thrown instanceof Fault) throw thrown;
    throw unwritable(dirname(target), `${path} could not be copied there`, thrown);
  }
}

function settle(path: string): void {
  const file = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    fchmodSync(file, 0o644);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export function unwritable(directory: string, failed: string, thrown: unknown): Fault {
  return new Fault(isFull(thrown) ? "no-space" : "file-failed", {
    message: `${directory}: ${failed}: ${errnoWords(thrown)}`,
    hint: whereUnwritable(thrown, directory),
    cause: thrown,
  });
}
