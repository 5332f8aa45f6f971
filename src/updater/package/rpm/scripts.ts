import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import type { Ended } from "../call/result.ts";

/** A script that prints more says what is wrong at the end. */
const mostBytes = 16 * 1024;

/**
 * Returns what is added to a log from now on. When told to be quiet, dnf and zypper write the output of package scripts to logs. A log that
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

/** The call's output, with the scripts' output at its end. */
export function withScripts(ended: Ended, words: readonly string[]): Ended {
  return words.length === 0 ? ended : { ...ended, output: [ended.output, heading, ...words].join("\n") };
}

/** The scripts' part of such an output. */
export function scriptsIn(output: string): readonly string[] {
  const lines = output.split("\n");
  const at = lines.lastIndexOf(heading);
  return at === -1 ? [] : lines.slice(at + 1);
}

function readEnd(path: string, before: number): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    // A log that was begun anew is shorter than before.
    const added = size >= before ? before : 0;
    const buffer = Buffer.alloc(Math.min(size - added, mostBytes));
    const length = readSync(file, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString("utf8", 0, length);
  } finally {
    closeSync(file);
  }
}
