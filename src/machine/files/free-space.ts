import { statfsSync } from "node:fs";
import { mountOf } from "./mount.ts";
import { nearestExisting } from "./unwritable.ts";

/** What is left on the file system that a path lies on, or will lie on once it is made. */
export type Room = {
  /** The same for all paths on one file system. */
  readonly device: string;
  readonly point: string;
  readonly isReadOnly: boolean;
  /** Without what is reserved for root: package managers do not count on that either. */
  readonly freeBytes: number;
  /** Undefined: this file system makes room for as many files as it needs. */
  readonly freeFiles: number | undefined;
};

export function roomAt(path: string): Room {
  const there = nearestExisting(path);
  const { bavail, bsize, files, ffree } = statfsSync(there);
  const { device, point, isReadOnly } = mountOf(there) ?? { device: there, point: there, isReadOnly: false };
  return { device, point, isReadOnly, freeBytes: bavail * bsize, freeFiles: files === 0 ? undefined : ffree };
}
