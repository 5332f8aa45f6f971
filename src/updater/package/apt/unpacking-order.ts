import type { Change, FileOnHost, FileSet } from "../manager/manager.ts";
import { contentsIn, pathsOf } from "./contents.ts";
import type { AptCalls } from "./calls.ts";

type Asking = Pick<AptCalls, "ask" | "root">;

/**
 * The order in which to unpack files. For an upgrade it is apt's: the agent's package first. Otherwise the reverse, so that its dependencies come
 * first. But a package whose present file belongs to another package afterwards goes before that one: unpacked later, it would remove the file.
 */
export async function inOrder(calls: Asking, files: FileSet, direction: Change["direction"]): Promise<FileSet> {
  if (direction === "up" || files.length === 1) return files;
  const left = files.toReversed();
  const brings = new Map<FileOnHost, ReadonlySet<string>>();
  const has = new Map<FileOnHost, readonly string[]>();
  for (const file of left) {
    brings.set(file, new Set(await contentsIn(calls, file.path)));
    has.set(file, await pathsOf(calls, file.name));
  }
  const mustWait = (file: FileOnHost, others: readonly FileOnHost[]): boolean =>
    others.some((other) => other !== file && has.get(other)?.some((path) => brings.get(file)?.has(path)) === true);
  const ordered: FileOnHost[] = [];
  while (left.length > 0) {
    // If packages wait for one another, any order will do.
    const at = Math.max(
      0,
      left.findIndex((file) => !mustWait(file, left)),
    );
    ordered.push(...left.splice(at, 1));
  }
  const [first = files[0], ...others] = ordered;
  return [first, ...others];
}
