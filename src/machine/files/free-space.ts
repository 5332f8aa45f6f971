import { statfsSync } from "node:fs";
import { mountOf } from "./mount.ts";
import { nearestExisting } from "./unwritable.ts";

/** Free space on the file system of a path, or of a path yet to be made. */
export type Room = {
  /** All paths on one file system have the same device. */
  readonly device: string;
  readonly point: string;
  readonly isReadOnly: boolean;
  /** Leaves out the blocks that are reserved for root, as package managers do. */
  readonly freeBytes: number;
  /** Undefined if the file system makes inodes as they are needed. */
  readonly freeFiles: number | undefined;
};

export function roomAt(path: string): Room {
  const there = nearestExisting(path);
  const { bavail, bsize, files, ffree } = statfsSync(there);
  const { device, point, isReadOnly } = mountOf(there) ?? { device: there, point: there, isReadOnly: false };
  return { device, point, isReadOnly, freeBytes: bavail * bsize, freeFiles: files === 0 ? undefined : ffree };
}
