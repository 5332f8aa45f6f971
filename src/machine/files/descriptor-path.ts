/** O_PATH, which Node does not name; the same on all its architectures. Such a descriptor marks a place: opening it asks no file system. */
export const pathOnly = 0o10000000;

/** The kernel follows as many links on one path. */
export const mostLinks = 40;

/** A path that acts on the open descriptor, so no name is resolved again. */
export function placeOf(file: number): string {
  return `/proc/self/fd/${file}`;
}
