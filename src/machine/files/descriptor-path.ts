/**
 * O_PATH, which Node does not name. It is the same on all architectures of Node. Such a descriptor only marks a place, so no file system is asked
 * when it is opened.
 */
export const pathOnly = 0o10000000;

/** The most links that the kernel follows on one path. */
export const mostLinks = 40;

/** A path that acts on the open descriptor, so no name is resolved again. */
export function placeOf(file: number): string {
  return `/proc/self/fd/${file}`;
}
