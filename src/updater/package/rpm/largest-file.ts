import type { FaultCode } from "../../../rules/fault/table.ts";
import { roomAt } from "../../../machine/files/free-space.ts";
import type { Ended } from "../call/result.ts";

/** The largest file to accept. dnf and zypper trust a repository that names no length, and would fill the disk. */
export const largestFile: number = 1024 ** 3;

type Argv = readonly [string, ...string[]];

/** Limits the size of files. A write beyond the limit fails, but the program goes on. */
export function heldToLargestFile(argv: Argv): Argv {
  return ["env", "--ignore-signal=XFSZ", "prlimit", `--fsize=${largestFile}`, "--", ...argv];
}

const cutOffWords = "more than 1 GiB came for one file, and the download was ended there";

/** libcurl's words for a failed write. */
const unwritten = /Curl error \(23\)|Failure writing output/;

const freeBytes = (path: string): number => roomAt(path).freeBytes;

/**
 * Adds to the output that our limit ended a download. For a file beyond the limit the managers print the same as for a full disk, and remove the
 * file. If the disk has no room for that much anyway, it is full.
 */
export function sayingCutOff(
  ended: Ended,
  writtenBelow: readonly string[],
  freeBytesAt: (path: string) => number = freeBytes,
): Ended {
  if (!unwritten.test(ended.output) || writtenBelow.some((path) => freeBytesAt(path) < largestFile)) return ended;
  return { ...ended, output: `${ended.output}\nError message: ${cutOffWords}` };
}

/** How to read the words that `sayingCutOff` adds. */
export const cutOff: { readonly says: RegExp; readonly code: FaultCode; readonly hint: () => string } = {
  says: new RegExp(cutOffWords),
  code: "download-failed",
  hint: () => "see what answers in the repository's place: no file of an agent's is that large",
};
