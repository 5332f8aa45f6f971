import type { Fault } from "../../../rules/fault/fault.ts";
import type { Change, FileSet, FileOnHost } from "../manager/manager.ts";
import { attemptDpkg } from "./attempt-dpkg.ts";
import type { AptCalls } from "./calls.ts";
import { isDoneDespite, lastUnpacking } from "./done-despite-failure.ts";
import { putHoldBack } from "./hold.ts";
import { installFilesArgv, pathsIn, type FileChange } from "./offline-argv.ts";
import { refuseFiles } from "./refuse-files.ts";
import { contentsIn, pathsOf } from "./contents.ts";

/**
 * Installs files with dpkg and not apt, which does nothing while any other package lacks something, a list cannot be read, or an earlier run is
 * unfinished. dpkg installs files in each of these states, and over half-installed packages.
 */
export async function installFiles(calls: AptCalls, change: Change, files: FileSet): Promise<void> {
  const wanted: FileChange = { root: calls.root, change, files };
  await refuseFiles(calls, wanted);
  const before = lastUnpacking(calls.root, change.name);
  const failure = await place(calls, { ...wanted, files: await inOrder(calls, files, change.direction) });
  // Restores the hold, which dpkg drops when it unpacks a package.
  if (change.hold === "lifted") await putHoldBack(calls, change.name, failure);
  if (failure !== undefined && !(await isDoneDespite(failure, calls, { files, before }))) throw failure;
}

/**
 * Installs the files, with a second call if needed. Unlike apt, dpkg does not configure packages in between, so it refuses a package whose
 * pre-dependency waits for that; the second call succeeds. A file that moved from one package to another is skipped while the second still replaces
 * it, and would vanish with it; a second unpacking keeps it.
 */
async function place(calls: AptCalls, wanted: FileChange): Promise<Fault | undefined> {
  const argv = installFilesArgv(wanted);
  const typed = `--install ${pathsIn(wanted.files).join(" ")}`;
  for (let round = 1; ; round += 1) {
    const { failure, output } = await attemptDpkg(calls, argv, typed);
    const isUnfinished = /pre-dependency problem|^Replaced by files in installed package /m.test(output);
    if (!isUnfinished || round >= wanted.files.length) return failure;
  }
}

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
