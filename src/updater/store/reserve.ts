import { closeSync, constants, fsyncSync, lstatSync, openSync, rmSync, writeSync } from "node:fs";
import { Fault } from "../../rules/fault/fault.ts";
import { inDirectory } from "../../machine/files/directory.ts";
import { errnoOf } from "../../machine/files/errno.ts";
import { longestStateBytes } from "../record/state.ts";

/** Where it lies: beside what is written. */
export type ReservePlace = { readonly root: string; readonly directory: string };

/** A file that is there to be given up: on a full disk its room is the record's. */
const name = ".reserve";

/** Twice: the record that is written lies beside the one before for a moment. */
const bytes: number = longestStateBytes * 2;

/** Where there is no room for it there is none to be kept. */
export function keepReserve({ root, directory }: ReservePlace): void {
  try {
    inDirectory(directory, { root, missing: "refuse" }, ({ at }) => {
      const path = `${at}/${name}`;
      if (sizeOf(path) === bytes) return;
      rmSync(path, { force: true });
      fill(path);
    });
  } catch {
    // A part of it is still something that can be given up.
  }
}

/** Does what has to be written down, on a full disk in the room that was reserved. */
export function withReserve<T>(place: ReservePlace, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (!isFull(thrown) || giveUpReserve(place) === "none") throw thrown;
    return work();
  }
}

function giveUpReserve({ root, directory }: ReservePlace): "given up" | "none" {
  try {
    return inDirectory(directory, { root, missing: "refuse" }, ({ at }) => {
      const path = `${at}/${name}`;
      if (sizeOf(path) === undefined) return "none";
      rmSync(path, { force: true });
      return "given up";
    });
  } catch {
    // What the room was wanted for is what has to be told.
    return "none";
  }
}

function sizeOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.size;
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
