import { Fault } from "../../rules/fault/fault.ts";
import { dirname } from "node:path";
import { errnoOf, errnoWords, isDenied } from "../../machine/files/errno.ts";
import { isFull, whereUnwritable } from "../../machine/files/unwritable.ts";
import { barredFault, type NotReached } from "../../machine/files/foreign-file.ts";

/** Turns an error of the system into a fault that names the path. */
export function changing<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    if (isDenied(thrown)) throw denied(path, errnoWords(thrown), thrown);
    throw unchanged(path, errnoWords(thrown), thrown);
  }
}

export type Reached<T> = { readonly kind: "reached"; readonly value: T };

/** The result of a look at a path where another user may write; undefined if nothing is there. */
export function orNothing<T>(path: string, found: Reached<T> | NotReached): T | undefined {
  switch (found.kind) {
    case "reached":
      return found.value;
    case "missing":
      return undefined;
    case "denied":
      throw denied(path, "this user may not look at it");
    case "refused":
      throw unchanged(path, found.why);
    case "barred":
      throw barredFault(path, found);
  }
}

function denied(path: string, why: string, cause?: unknown): Fault {
  return new Fault("not-permitted", { message: `${path} could not be changed: ${why}`, hint: "run it as root", cause });
}

export function unchanged(path: string, why: string, cause?: unknown): Fault {
  const hint =
    isFull(cause) || errnoOf(cause) === "EROFS"
      ? whereUnwritable(cause, dirname(path))
      : `look at what is there: \`ls -ld ${path}\``;
  return new Fault("file-failed", { message: `${path} could not be changed: ${why}`, hint, cause });
}
