import { Fault } from "../../rules/fault/fault.ts";
import { dirname } from "node:path";
import { errnoOf, errnoWords, isDenied } from "../../machine/files/errno.ts";
import { isFull, whereUnwritable } from "../../machine/files/unwritable.ts";
import { barredFault, type NotReached } from "../../machine/files/foreign-file.ts";

/** What the system refuses, as a fault with the path it is about. */
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

/** What became of a look at what another user may have put there; undefined: nothing is there. */
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
