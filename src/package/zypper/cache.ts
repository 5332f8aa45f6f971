/** Where zypper keeps its lists and packages. */
export function cacheBelow(root: string): string {
  return `${root === "/" ? "" : root}/var/cache/zypp`;
}
