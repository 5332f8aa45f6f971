import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import type { Ended } from "../call/result.ts";

/** Of a script that prints more, what is wrong stands at the end. */
const mostBytes = 16 * 1024;

/**
 * What is added to a log from here on, whenever it is asked for. Told to be quiet, dnf and zypper keep to such logs of theirs what
 * the scripts of packages print. A log that cannot be read says nothing.
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

/** The call's output, with what scripts printed at its end. */
export function withScripts(ended: Ended, words: readonly string[]): Ended {
  return words.length === 0 ? ended : { ...ended, output: [ended.output, heading, ...words].join("\n") };
}

/** What scripts printed, of an output that was put together so. */
export function scriptsIn(output: string): readonly string[] {
  const lines = output.split("\n");
  const at = lines.lastIndexOf(heading);
  return at === -1 ? [] : lines.slice(at + 1);
}

function readEnd(path: string, before: number): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    // A log that was begun again is shorter than it was.
    const added = size >= before ? before : 0;
    const buffer = Buffer.alloc(Math.min(size - added, mostBytes));
    const length = readSync(file, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString("utf8", 0, length);
  } finally {
    closeSync(file);
  }
}
