import { statSync } from "node:fs";
import { namesIn } from "../../../machine/files/names-in.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";

/** dnf and zypp date a repository's index again each time they have asked for it, whether there was something new or not. */
export function newestIndex(lists: string): UnixSeconds | undefined {
  const times = namesIn(lists).flatMap((name) => {
    const index = statSync(`${lists}/${name}/repodata/repomd.xml`, { throwIfNoEntry: false });
    return index === undefined ? [] : [Math.floor(index.mtimeMs / 1000)];
  });
  return times.length === 0 ? undefined : Math.max(...times);
}
