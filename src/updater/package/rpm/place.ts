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
  /** On the file system of the target, where nobody looks for anything. */
  readonly copy: string;
  readonly target: string;
  /** Below which the target lies. */
  readonly root: string;
};

/**
 * Puts a copy of the package file under its name, as a whole and for good, also through a power cut. Never the file itself: it
 * may be a second name of one that is written to elsewhere.
 */
export async function placeWhole(judge: RpmCalls["judge"], { path, copy, target, root }: Placing): Promise<"placed" | "spoilt"> {
  try {
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    settle(copy);
    // The manager has looked at what it fetched; this may have lain there for long.
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
