import { roomAt } from "../../../machine/files/free-space.ts";
import type { Ended } from "../call/result.ts";
import { largestFile } from "../rpm/largest-file.ts";
import { boundedArgv, listsArgv, type Argv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { listsFrom } from "./spoilt-lists.ts";

/** What is left to all others of the host, the record of this pass among them. */
const leftFree: number = 64 * 1024 * 1024;
/** Less than the lists of a large distribution would leave no refresh at all. */
const smallest: number = 16 * 1024 * 1024;

/**
 * apt believes a repository that names no length, and would take from it until the disk is full. What is beyond the limit ends
 * the program that writes it; what that leaves is taken away, or the next refresh would begin with it.
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

/** Parts that no later refresh could go on from, or that fill the disk. */
export function leavesParts(output: string): boolean {
  return isCutOff(output) || /File has unexpected size|No space left on device/.test(output);
}

/** apt's words of a method that was ended by this limit, and of a write of its own that failed by it. */
export function isCutOff(output: string): boolean {
  return /received signal 25\b|Method \S+ has died unexpectedly|File too large/.test(output);
}
