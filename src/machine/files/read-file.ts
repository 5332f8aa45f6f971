import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { errnoOf, errnoWords } from "./errno.ts";

export type FileRead = {
  readonly kind: "read";
  readonly text: string;
  readonly uid: number;
  readonly gid: number;
  /** The permission bits alone. */
  readonly mode: number;
  readonly modifiedAt: number;
  /** How many names the file has. */
  readonly links: number;
};

export type NotRead =
  | { readonly kind: "missing" }
  | { readonly kind: "denied" }
  /** It is there, and not what may be read: not a regular file, a symbolic link, too large. */
  | { readonly kind: "refused"; readonly why: string };

export type FileReading = NotRead | FileRead;

export type ReadLimits = { readonly capBytes: number; readonly links: "refuse" | "follow" };

/**
 * Reads a file of a directory that nobody else may write to: never waits for the other end of a pipe, never reads more than the
 * cap, and looks at what was opened, not at what lay under the name before. What others may have put there: `readForeignFile`.
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

/** The text alone; undefined where there is none that may be read. */
export function readText(path: string, limits: ReadLimits): string | undefined {
  const reading = readFileCapped(path, limits);
  return reading.kind === "read" ? reading.text : undefined;
}

/** Node sets O_CLOEXEC by itself. Without O_NONBLOCK the opening of a pipe would wait for a writer. */
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

/** What has no size and is larger takes some more steps: a buffer of a generous cap's size would take longer than all else. */
const usualBytes: number = 64 * 1024;

function readOpen(file: number, capBytes: number): FileReading {
  const stats = fstatSync(file);
  if (!stats.isFile()) return { kind: "refused", why: `it is ${kindOf(stats)}` };
  if (stats.size > capBytes) return tooLarge(capBytes);
  // The size may be wrong (a file that grows, or one of /proc, which says 0): the one byte more shows it.
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

/** To be read after "it is". */
export function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a directory";
  if (stats.isFIFO()) return "a named pipe";
  return "not a regular file";
}
