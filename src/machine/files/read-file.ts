import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { errnoOf, errnoWords } from "./errno.ts";

export type FileRead = {
  readonly kind: "read";
  readonly text: string;
  readonly uid: number;
  readonly gid: number;
  /** Permission bits only. */
  readonly mode: number;
  readonly modifiedAt: number;
  /** The number of the file's names. */
  readonly links: number;
};

export type NotRead =
  | { readonly kind: "missing" }
  | { readonly kind: "denied" }
  /** The file exists but may not be read: not regular, a symbolic link, or too large. */
  | { readonly kind: "refused"; readonly why: string };

export type FileReading = NotRead | FileRead;

export type ReadLimits = { readonly capBytes: number; readonly links: "refuse" | "follow" };

/**
 * Reads a file in a directory where nobody else may write. Never waits for a pipe, never exceeds the cap, and judges the opened file, not its name.
 * For other users' directories use `readForeignFile`.
 */
export function readFileCapped(path: string, limits: ReadLimits): FileReading {
  let file: number;
  try {
    file = openSync(path, flagsFor(limits.links));
  } catch (thrown) {
    return notOpened(thrown);
  }
  try {
    return readOpen(file, limits.capBytes);
  } catch (thrown) {
    return { kind: "refused", why: errnoWords(thrown) };
  } finally {
    closeSync(file);
  }
}

/** The text; undefined if no file may be read. */
export function readText(path: string, limits: ReadLimits): string | undefined {
  const reading = readFileCapped(path, limits);
  return reading.kind === "read" ? reading.text : undefined;
}

/** Node sets O_CLOEXEC itself. Without O_NONBLOCK opening a pipe would wait for a writer. */
function flagsFor(links: ReadLimits["links"]): number {
  return constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | (links === "refuse" ? constants.O_NOFOLLOW : 0);
}

export function notOpened(thrown: unknown): NotRead {
  switch (errnoOf(thrown)) {
    case "ENOENT":
    case "ENOTDIR":
      return { kind: "missing" };
    case "EACCES":
    case "EPERM":
      return { kind: "denied" };
    case "ELOOP":
      return { kind: "refused", why: "it is a symbolic link" };
    case "ENXIO":
      return { kind: "refused", why: "it is a socket or a device" };
    default:
      return { kind: "refused", why: errnoWords(thrown) };
  }
}

/** The first buffer for a file without a size. A buffer of the whole cap would take longer than reading. */
const usualBytes: number = 64 * 1024;

function readOpen(file: number, capBytes: number): FileReading {
  const stats = fstatSync(file);
  if (!stats.isFile()) return { kind: "refused", why: `it is ${kindOf(stats)}` };
  if (stats.size > capBytes) return tooLarge(capBytes);
  // Reads one byte more than the reported size, which may be wrong: the file may grow, or be in /proc.
  let buffer = Buffer.allocUnsafe(Math.min(capBytes, stats.size === 0 ? usualBytes : stats.size) + 1);
  let length = 0;
  for (;;) {
    const read = readSync(file, buffer, length, buffer.length - length, null);
    if (read === 0) break;
    length += read;
    if (length > capBytes) return tooLarge(capBytes);
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(2 * length, capBytes + 1));
  }
  return {
    kind: "read",
    text: buffer.toString("utf8", 0, length),
    uid: stats.uid,
    gid: stats.gid,
    mode: stats.mode & 0o7777,
    modifiedAt: Math.floor(stats.mtimeMs / 1000),
    links: stats.nlink,
  };
}

function tooLarge(capBytes: number): FileReading {
  return { kind: "refused", why: `it is larger than ${capBytes} bytes` };
}

/** Follows "it is" in a message. */
export function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a directory";
  if (stats.isFIFO()) return "a named pipe";
  return "not a regular file";
}
