import { closeSync, constants, fsyncSync, lstatSync, openSync, rmSync, writeSync } from "node:fs";
import { Fault } from "../../rules/fault/fault.ts";
import { inDirectory } from "../../machine/files/directory.ts";
import { errnoOf } from "../../machine/files/errno.ts";
import { longestStateBytes } from "../record/state.ts";

export type ReservePlace = { readonly root: string; readonly directory: string };

/** A file that can be given up: on a full disk, the record takes its room. */
const name = ".reserve";

/** Twice as long: for a moment the new record lies beside the old one. */
const bytes: number = longestStateBytes * 2;

/** A disk without room for it gets no reserve. */
export function keepReserve({ root, directory }: ReservePlace): void {
  try {
    inDirectory(directory, { root, missing: "refuse" }, ({ at }) => {
      const path = `${at}/${name}`;
      if (sizeOf(path) === bytes) return;
      rmSync(path, { force: true });
      fill(path);
    });
  } catch {
    // A part of the reserve still helps.
  }
}

/** Does the writing; on a full disk, in the reserved room. */
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
    // The caller's fault matters, not this one.
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
    // The blocks are written, because a hole in the file would reserve no space.
    for (let left = bytes; left > 0;) left -= writeSync(file, Buffer.alloc(left, 1));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
