import type { FaultCode } from "../../../rules/fault/table.ts";
import { roomAt } from "../../../machine/files/free-space.ts";
import type { Ended } from "../call/result.ts";

/** dnf and zypper believe a repository that names no length, and would take from it until the disk is full. */
export const largestFile: number = 1024 ** 3;

type Argv = readonly [string, ...string[]];

/** A write beyond the limit then fails, and nobody is killed for it. */
export function heldToLargestFile(argv: Argv): Argv {
  return ["env", "--ignore-signal=XFSZ", "prlimit", `--fsize=${largestFile}`, "--", ...argv];
}

const cutOffWords = "more than 1 GiB came for one file, and the download was ended there";

/** libcurl's words of a file that cannot be written on. */
const unwritten = /Curl error \(23\)|Failure writing output/;

const freeBytes = (path: string): number => roomAt(path).freeBytes;

/**
 * Of a file that may not become larger they say the same as of a full disk, and take it away again. Where no file of that size
 * ever had room, it was the disk.
 */
export function sayingCutOff(
  ended: Ended,
  writtenBelow: readonly string[],
  freeBytesAt: (path: string) => number = freeBytes,
): Ended {
  if (!unwritten.test(ended.output) || writtenBelow.some((path) => freeBytesAt(path) < largestFile)) return ended;
  return { ...ended, output: `${ended.output}\nError message: ${cutOffWords}` };
}

/** What that means, as the managers' other words are read. */
export const cutOff: { readonly says: RegExp; readonly code: FaultCode; readonly hint: () => string } = {
  says: new RegExp(cutOffWords),
  code: "download-failed",
  hint: () => "see what answers in the repository's place: no file of an agent's is that large",
};
