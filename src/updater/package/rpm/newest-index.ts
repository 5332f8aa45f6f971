import { statSync } from "node:fs";
import { namesIn } from "../../../machine/files/names-in.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";

/** Returns when a repository was last asked: dnf and zypp set the time of its index file each time, even if nothing is new. */
export function newestIndex(lists: string): UnixSeconds | undefined {
  const times = namesIn(lists).flatMap((name) => {
    const index = statSync(`${lists}/${name}/repodata/repomd.xml`, { throwIfNoEntry: false });
    return index === undefined ? [] : [Math.floor(index.mtimeMs / 1000)];
  });
  return times.length === 0 ? undefined : Math.max(...times);
}
