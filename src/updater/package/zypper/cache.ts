import { belowRoot } from "../../../machine/files/paths.ts";

/** Where zypper keeps its lists and packages. */
export function cacheBelow(root: string): string {
  return belowRoot(root, "/var/cache/zypp");
}
