import type { Fault } from "../../../rules/fault/fault.ts";
import type { Change, FileSet } from "../manager/manager.ts";
import { attemptDpkg } from "./attempt-dpkg.ts";
import type { AptCalls } from "./calls.ts";
import { isDoneDespite, lastUnpacking } from "./done-despite-failure.ts";
import { putHoldBack } from "./hold.ts";
import { installFilesArgv, pathsIn, type FileChange } from "./offline-argv.ts";
import { inOrder } from "./unpacking-order.ts";
import { refuseFiles } from "./refuse-files.ts";

/**
 * By dpkg and not by apt, which does nothing at all while any other package of the host lacks something, a list cannot be read,
 * or an earlier run did not finish. dpkg takes files in each of these states, and over whatever it left half-way itself.
 */
export async function installFiles(calls: AptCalls, change: Change, files: FileSet): Promise<void> {
  const wanted: FileChange = { root: calls.root, change, files };
  await refuseFiles(calls, wanted);
  const before = lastUnpacking(calls.root, change.name);
  const failure = await place(calls, { ...wanted, files: await inOrder(calls, files, change.direction) });
  // dpkg drops a hold as it unpacks.
  if (change.hold === "lifted") await putHoldBack(calls, change.name, failure);
  if (failure !== undefined && !(await isDoneDespite(failure, calls, { files, before }))) throw failure;
}

/**
 * dpkg takes the files one by one, where apt would configure in between: what pre-depends on another is refused until that is configured,
 * and by the next call it is. A file that has gone from one member to another is left out of the first as long as the second replaces it, and
 * would go with that one: unpacked once more, it stays.
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
