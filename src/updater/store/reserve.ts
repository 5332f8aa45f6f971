import { closeSync, constants, fsyncSync, lstatSync, openSync, rmSync, writeSync } from "node:fs";
import { Fault } from "../../rules/fault/fault.ts";
import { inDirectory } from "../../machine/files/directory.ts";
import { errnoOf } from "../../machine/files/errno.ts";
import { longestStateBytes } from "../record/state.ts";

export type ReservePlace = { readonly root: string; readonly directory: string };

/** A file that reserves room: on a full disk, the record takes its place. */
const name = ".reserve";

/** Twice the longest state, because for a moment the new record is beside the old one. */
const bytes: number = longestStateBytes * 2;

/** Makes the reserve, unless the disk has no room for it. */
export function keepReserve({ root, directory }: ReservePlace): void {
  try {
    inDirectory(directory, { root, missing: "refuse" }, ({ at }) => {
      const path = `${at}/${name}`;
      if (sizeOf(path) === bytes) return;
      rmSync(path, { force: true });
      fill(path);
    });
  } catch {
    // Even a part of the reserve helps.
  }
}

/** Writes, on a full disk into the reserved room. */
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
    // Only the caller's fault matters.
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
    // Writes every block, because a hole in the file would reserve no space.
    for (let left = bytes; left > 0;) left -= writeSync(file, Buffer.alloc(left, 1));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
