import { accessSync, constants, statSync } from "node:fs";
import { errnoOf } from "../../machine/files/errno.ts";
import { reach, type NotReached } from "../../machine/files/foreign-file.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** The rights of a file or directory, without following links. "link" is also anything else that is neither a file nor a directory. */
export type Looked = {
  readonly kind: "plain" | "link";
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
  readonly modifiedAt: UnixSeconds;
};

export type Missing = Extract<NotReached, { readonly kind: "missing" }>;
/** Nobody could look, so the path may exist. */
export type Unseen = Exclude<NotReached, Missing>;

/** Looks at a path with care, because another user may have made it or a part of it. */
export function lookAt(path: string): Looked | Missing | Unseen {
  return reach(path, "itself", seen);
}

export function isUnseen(looked: Looked | Missing | Unseen): looked is Unseen {
  return looked.kind === "denied" || looked.kind === "refused" || looked.kind === "barred";
}

function seen(place: string): Looked | Unseen {
  const stats = statSync(place);
  const isPlain = stats.isFile() || stats.isDirectory();
  if (isPlain && !mayRead(place)) return { kind: "denied" };
  const { uid, gid, mode } = stats;
  return { kind: isPlain ? "plain" : "link", uid, gid, mode: mode & 0o7777, modifiedAt: Math.floor(stats.mtimeMs / 1000) };
}

function mayRead(place: string): boolean {
  try {
    accessSync(place, constants.R_OK);
    return true;
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return false;
  }
}
