import { fstatSync, writeSync } from "node:fs";
import { faultTable } from "../../rules/fault/table.ts";
import { errnoOf, errnoWords } from "../files/errno.ts";

const standardOutput = 1;
const standardError = 2;
/** A reader that has not made room in this time is not reading: what is left is dropped, the pass is not. */
const mostTries = 50;
const pauseMs = 10;

/** Why an answer was lost. */
let lost: string | undefined;

/** Answers. */
export function writeToStandardOutput(text: string): void {
  lost ??= writeAtOnce(standardOutput, text);
}

/** The exit status of a program that is done: an answer that was not written whole is a fault, but not where its reader went away. */
export function statusWithOutput(status: number): number {
  if (lost === undefined) return status;
  writeToStandardError(
    `error: standard output could not be written: ${lost}\nnext: make room there, or send it elsewhere; a change that was made stays made\n`,
  );
  return status === 0 ? faultTable["file-failed"].exit : status;
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

/**
 * Nothing is lost when the process ends with the next instruction. A reader that stopped reading never stops a pass. Returns why the
 * rest was dropped; undefined too where the reader closed the pipe.
 */
function writeAtOnce(stream: number, text: string): string | undefined {
  let rest: Uint8Array = Buffer.from(text);
  for (let tries = 0; rest.length > 0;) {
    try {
      rest = rest.subarray(writeSync(stream, rest));
      tries = 0;
    } catch (thrown) {
      if (errnoOf(thrown) === "EPIPE") return undefined;
      if (errnoOf(thrown) !== "EAGAIN") return errnoWords(thrown);
      tries += 1;
      if (tries === mostTries) return "its reader takes nothing more";
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
  return undefined;
}
