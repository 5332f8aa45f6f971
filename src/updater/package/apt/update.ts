import { roomAt } from "../../../machine/files/free-space.ts";
import type { Ended } from "../call/result.ts";
import { largestFile } from "../rpm/largest-file.ts";
import { boundedArgv, listsArgv, type Argv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { listsFrom } from "./spoilt-lists.ts";

/** What stays free for the rest of the host, and for the record of this pass. */
const leftFree: number = 64 * 1024 * 1024;
/** The lowest limit: a large distribution's lists need as much. */
const smallest: number = 16 * 1024 * 1024;

/**
 * Refreshes with a limit on file sizes, because apt trusts a repository that names no length, and would fill the disk. Removes what an ended program
 * left, or the next refresh would continue it.
 */
export async function update(calls: AptCalls, argv: Argv, what: string): Promise<Ended> {
  const lists = listsFrom((await calls.ask(listsArgv())).stdout);
  const limit = limitFor(roomAt(lists).freeBytes);
  const ended = await calls.act(boundedArgv(limit, argv), what);
  if (!leavesParts(ended.output)) return ended;
  await calls.actOffline(["find", `${lists}partial`, "-type", "f", "-delete"], "remove unfinished downloads of package lists");
  if (!isCutOff(ended.output)) return ended;
  const words = `E: more than ${Math.floor(limit / 1024 ** 2)} MiB came for one file, and the download was ended there`;
  return { ...ended, status: ended.status === 0 ? 100 : ended.status, output: `${words}\n${ended.output}` };
}

export function limitFor(freeBytes: number): number {
  return Math.max(smallest, Math.min(largestFile, freeBytes - leftFree));
}

/** Whether parts of files are left that fill the disk, or that no later refresh could continue. */
export function leavesParts(output: string): boolean {
  return isCutOff(output) || /File has unexpected size|No space left on device/.test(output);
}

/** Whether this limit ended one of apt's methods, or made apt's own write fail. */
export function isCutOff(output: string): boolean {
  return /received signal 25\b|Method \S+ has died unexpectedly|File too large/.test(output);
}
