import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { withPrivateDirectory } from "../call/private-directory.ts";
import { namesIn } from "../../../machine/files/names-in.ts";
import { belowRoot } from "../../../machine/files/paths.ts";

/** The directory of this machine's package lists. Our refresh writes there too, and ignores the configured one. */
export const listsDirectory = "/var/cache/dnf";

export function listsBelow(root: string): string {
  return belowRoot(root, listsDirectory);
}

/** A repository's directory with its lists, and dnf's faster copy of them. */
const list = /-[0-9a-f]{16}$|\.solvx?$/;

/**
 * Gives dnf our own directory with links to the real lists, because dnf writes locks and logs even for a question. So a question needs no write
 * permission, waits for nobody, and has the same answer for every user.
 */
export function withLists<T>(work: (directory: string) => Promise<T>, lists: string = listsDirectory): Promise<T> {
  return withPrivateDirectory((directory) => {
    for (const name of namesIn(lists)) {
      if (list.test(name)) symlinkSync(join(lists, name), join(directory, name));
    }
    return work(directory);
  });
}

/** The files that dnf makes from lists and signing keys, and can make again. */
export function madeOfLists(directory: string): readonly string[] {
  return namesIn(directory).flatMap((name) => {
    if (/\.solvx?$/.test(name)) return [join(directory, name)];
    return /-[0-9a-f]{16}$/.test(name) ? [join(directory, name, "pubring")] : [];
  });
}
