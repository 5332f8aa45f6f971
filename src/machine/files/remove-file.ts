import { rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { inDirectory } from "./directory.ts";
import { errnoOf } from "./errno.ts";

/** Removes a file if it exists; of a link, only the link. */
export function removeFile(path: string, root: string): void {
  try {
    inDirectory(dirname(path), { root, missing: "refuse" }, ({ at }) => rmSync(`${at}/${basename(path)}`, { force: true }));
  } catch (thrown) {
    if (errnoOf(thrown) !== "ENOENT" && errnoOf(thrown) !== "ENOTDIR") throw thrown;
  }
}
