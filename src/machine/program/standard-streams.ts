import { fstatSync, writeSync } from "node:fs";
import { errnoOf } from "../files/errno.ts";

const standardOutput = 1;
const standardError = 2;
/** A reader that has not made room in this time is not reading: what is left is dropped, the pass is not. */
const mostTries = 50;
const pauseMs = 10;

/** Answers. */
export function writeToStandardOutput(text: string): void {
  writeAtOnce(standardOutput, text);
}

/** The log. */
export function writeToStandardError(line: string): void {
  writeAtOnce(standardError, line);
}

/** Whether standard error goes to the journal: then JOURNAL_STREAM names its device and inode. */
export function isJournal(journalStream: string | undefined): boolean {
  if (journalStream === undefined) return false;
  try {
    const { dev, ino } = fstatSync(standardError);
    return journalStream === `${dev}:${ino}`;
  } catch {
    // Standard error is closed; there is nobody to write for.
    return false;
  }
}

/** Nothing is lost when the process ends with the next instruction. Whoever stopped reading never stops a pass. */
function writeAtOnce(stream: number, text: string): void {
  let rest: Uint8Array = Buffer.from(text);
  for (let tries = 0; rest.length > 0 && tries < mostTries; tries += 1) {
    try {
      rest = rest.subarray(writeSync(stream, rest));
    } catch (thrown) {
      if (errnoOf(thrown) !== "EAGAIN") return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
