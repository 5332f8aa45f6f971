import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { withPrivateDirectory } from "../call/private-directory.ts";
import { namesIn } from "../../../machine/files/names-in.ts";
import { belowRoot } from "../../../machine/files/paths.ts";

/** Where this machine's package lists lie. Our own refresh is told the same place, whatever the configuration says. */
export const listsDirectory = "/var/cache/dnf";

export function listsBelow(root: string): string {
  return belowRoot(root, listsDirectory);
}

/** A repository's directory with its lists, and what dnf has made of them to load them faster. */
const list = /-[0-9a-f]{16}$|\.solvx?$/;

/**
 * dnf writes locks and logs even to answer a question: into a directory of our own, with links to the real lists. So a
 * question needs no right to write, waits for nobody, and gets the same answer for every user.
 */
export function withLists<T>(work: (directory: string) => Promise<T>, lists: string = listsDirectory): Promise<T> {
  return withPrivateDirectory((directory) => {
    for (const name of namesIn(lists)) {
      if (list.test(name)) symlinkSync(join(lists, name), join(directory, name));
    }
    return work(directory);
  });
}

/** What dnf has made of its lists, and of the keys that they are signed with: all of it can be made again. */
export function madeOfLists(directory: string): readonly string[] {
  return namesIn(directory).flatMap((name) => {
    if (/\.solvx?$/.test(name)) return [join(directory, name)];
    return /-[0-9a-f]{16}$/.test(name) ? [join(directory, name, "pubring")] : [];
  });
}
