import { closeSync, constants, fsyncSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../fault/fault.ts";
import { errnoOf } from "../host/errno.ts";
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

/** Does what has to be written down, on a full disk in the room that was reserved. */
export function withReserve<T>(stateDirectory: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (!isFull(thrown) || giveUpReserve(stateDirectory) === "none") throw thrown;
    return work();
  }
}

function giveUpReserve(stateDirectory: string): "given up" | "none" {
  const path = join(stateDirectory, name);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return "none";
  rmSync(path, { force: true });
  return "given up";
}

function isFull(thrown: unknown): boolean {
  return thrown instanceof Fault && ["ENOSPC", "EDQUOT"].includes(errnoOf(thrown.cause) ?? "");
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
