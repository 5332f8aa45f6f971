import { accessSync, constants, lstatSync } from "node:fs";
import { errnoOf } from "../host/errno.ts";
import type { UnixSeconds } from "../window/window.ts";

/** A file or directory by its rights, without following a link. "link": it is one, or neither file nor directory. */
export type Looked = {
  readonly kind: "plain" | "link";
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
  readonly modifiedAt: UnixSeconds;
};

export function lookAt(path: string): Looked | "missing" | "denied" {
  try {
    const stats = lstatSync(path);
    const isPlain = stats.isFile() || stats.isDirectory();
    if (isPlain) accessSync(path, constants.R_OK);
    const { uid, gid, mode } = stats;
    return { kind: isPlain ? "plain" : "link", uid, gid, mode: mode & 0o7777, modifiedAt: Math.floor(stats.mtimeMs / 1000) };
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (code === "ENOENT" || code === "ENOTDIR") return "missing";
    if (code === "EACCES" || code === "EPERM") return "denied";
    throw thrown;
  }
}
