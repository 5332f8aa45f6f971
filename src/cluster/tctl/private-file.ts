import { closeSync, constants, fsyncSync, lstatSync, openSync, rmSync, writeSync } from "node:fs";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { errnoOf, errnoWords } from "../../machine/files/errno.ts";
import { shellWord } from "../../rules/text/shell-word.ts";

/** Makes a new file that only its owner can read. Does not use an existing file, which could have other rights. */
export function writePrivateFile(path: string, text: string): void {
  let file: number;
  try {
    file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  } catch (thrown) {
    throw notWritten(path, thrown);
  }
  try {
    writeSync(file, text);
    fsyncSync(file);
  } catch (thrown) {
    rmSync(path, { force: true });
    throw notWritten(path, thrown);
  } finally {
    closeSync(file);
  }
}

function notWritten(path: string, thrown: unknown): Fault {
  const word = shellWord(quote(path, 200));
  return errnoOf(thrown) === "EEXIST"
    ? new Fault("file-failed", {
        message: `${word} is there already, and is not written over`,
        // Does not tell anybody to move a device of the host away.
        hint:
          lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
            ? `name another file, or move it away: \`mv ${word} ${word}.old\``
            : "name another file",
        cause: thrown,
      })
    : new Fault("file-failed", {
        message: `${word} cannot be written: ${errnoWords(thrown)}`,
        hint: "name another file",
        cause: thrown,
      });
}
