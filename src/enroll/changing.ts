import { Fault } from "../fault/fault.ts";
import { errnoOf, errnoWords } from "../host/errno.ts";

/** What the system refuses, as a fault with the path it is about. */
export function changing<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    const errno = errnoOf(thrown);
    if (errno === undefined) throw thrown;
    const isDenied = errno === "EACCES" || errno === "EPERM";
    throw new Fault(isDenied ? "not-permitted" : "file-failed", {
      message: `${path} could not be changed: ${errnoWords(thrown)}`,
      hint: isDenied ? "run it as root" : `look at what is there: ls -ld ${path}`,
      cause: thrown,
    });
  }
}
