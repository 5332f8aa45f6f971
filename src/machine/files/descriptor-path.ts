/** O_PATH, the kernel's for any architecture that Node runs on; Node does not name it. What is opened so is a mere place: nobody is asked. */
export const pathOnly = 0o10000000;

/** As many links as the kernel follows on one way. */
export const mostLinks = 40;

/** To open, stat or name what is here is to do so to what the descriptor stands for, and to nothing on the way to it. */
export function placeOf(file: number): string {
  return `/proc/self/fd/${file}`;
}
