import { fstatSync, writeSync } from "node:fs";
import { faultTable } from "../../rules/fault/table.ts";
import { errnoOf, errnoWords } from "../files/errno.ts";

const standardOutput = 1;
const standardError = 2;
/** Stops here: a reader that makes no room in this time does not read. The rest of the text is dropped, and the pass continues. */
const mostTries = 50;
const pauseMs = 10;

/** Why an answer was lost. */
let lost: string | undefined;

export function writeToStandardOutput(text: string): void {
  lost ??= writeAtOnce(standardOutput, text);
}

/** The exit status of a finished program. An incomplete answer is a fault, unless its reader went away. */
export function statusWithOutput(status: number): number {
  if (lost === undefined) return status;
  writeToStandardError(
    `error: standard output could not be written: ${lost}\nnext: make room there, or send it elsewhere; a change that was made stays made\n`,
  );
  return status === 0 ? faultTable["file-failed"].exit : status;
}

export function writeToStandardError(line: string): void {
  writeAtOnce(standardError, line);
}

/** Whether standard error goes to the journal, whose device and inode JOURNAL_STREAM names. */
export function isJournal(journalStream: string | undefined): boolean {
  if (journalStream === undefined) return false;
  try {
    const { dev, ino } = fstatSync(standardError);
    return journalStream === `${dev}:${ino}`;
  } catch {
    // Standard error is closed.
    return false;
  }
}

/**
 * Writes everything before it returns, so that the process may end at once. A reader that has stopped reading never stops a pass. Returns why the
 * rest was dropped; undefined if the reader closed the pipe.
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
