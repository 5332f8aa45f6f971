import { closeSync, constants, fsyncSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { longestStateBytes } from "../record/state.ts";

/** A file that is there to be given up: on a full disk its room is the record's. */
const name = ".reserve";

/** Twice: the record that is written lies beside the one before for a moment. */
const bytes: number = longestStateBytes * 2;

/** Where there is no room for it there is none to be kept. */
export function keepReserve(stateDirectory: string): void {
  const path = join(stateDirectory, name);
  if (statSync(path, { throwIfNoEntry: false })?.size === bytes) return;
  try {
    rmSync(path, { force: true });
    fill(path);
  } catch {
    // A part of it is still something that can be given up.
  }
}

export function giveUpReserve(stateDirectory: string): "given up" | "none" {
  const path = join(stateDirectory, name);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return "none";
  rmSync(path, { force: true });
  return "given up";
}

function fill(path: string): void {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    // Not by its length alone: a hole takes no room.
    for (let left = bytes; left > 0;) left -= writeSync(file, Buffer.alloc(left, 1));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
