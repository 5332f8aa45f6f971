import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import type { Ended } from "../call/result.ts";

/** If a script prints more, the end says what is wrong. */
const mostBytes = 16 * 1024;

/**
 * Returns a function that reads what was added to a log since now. Quiet dnf and zypper write the output of package scripts to logs. A log that
 * cannot be read adds nothing.
 */
export function watchLog(path: string): () => string {
  const before = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return () => {
    try {
      return readEnd(path, before);
    } catch {
      return "";
    }
  };
}

const heading = "Scriptlet output:";

/** Adds the scripts' output to the end of the call's output. */
export function withScripts(ended: Ended, words: readonly string[]): Ended {
  return words.length === 0 ? ended : { ...ended, output: [ended.output, heading, ...words].join("\n") };
}

/** Picks the lines of package scripts from an output that `withScripts` made. */
export function scriptsIn(output: string): readonly string[] {
  const lines = output.split("\n");
  const at = lines.lastIndexOf(heading);
  return at === -1 ? [] : lines.slice(at + 1);
}

function readEnd(path: string, before: number): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    // A log that was begun again is shorter than before.
    const added = size >= before ? before : 0;
    const buffer = Buffer.alloc(Math.min(size - added, mostBytes));
    const length = readSync(file, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString("utf8", 0, length);
  } finally {
    closeSync(file);
  }
}
