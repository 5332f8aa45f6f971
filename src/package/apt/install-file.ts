import type { Change } from "../manager.ts";
import { attemptDpkg } from "./attempt-dpkg.ts";
import type { AptCalls } from "./calls.ts";
import { isDoneDespite, lastUnpacking } from "./done.ts";
import { putHoldBack } from "./hold.ts";
import { installFileArgv } from "./offline-argv.ts";
import { refuseFile } from "./refuse-file.ts";

/**
 * By dpkg and not by apt, which does nothing at all while any other package of the host lacks something, a list cannot be read,
 * or an earlier run was cut off. dpkg takes a file in each of these states, and over whatever it left half-way itself.
 */
export async function installFile(calls: AptCalls, change: Change, file: string): Promise<void> {
  const wanted = { root: calls.root, change, file };
  await refuseFile(calls, wanted);
  const before = lastUnpacking(calls.root, change.name);
  const failure = await attemptDpkg(calls, installFileArgv(wanted), `--install ${file}`);
  // dpkg drops a hold as it unpacks.
  if (change.hold === "lifted") await putHoldBack(calls, change.name, failure);
  if (failure !== undefined && !(await isDoneDespite(failure, calls, { change, before }))) throw failure;
}
