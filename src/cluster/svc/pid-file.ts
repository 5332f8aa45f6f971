import { closeSync, constants, ftruncateSync, lstatSync, openSync, writeSync } from "node:fs";
import { Fault } from "../../rules/fault/fault.ts";
import { errnoWords } from "../../machine/files/errno.ts";
import { readFileCapped, readText } from "../../machine/files/read-file.ts";
import { shellWord } from "../../rules/text/shell-word.ts";

const longestBytes = 64;

/** A file with the process's number, which `clear` empties. */
export type PidFile = { readonly clear: () => void };

/** Writes the file in place, because the sandbox lets the service write to this file but not to its directory. */
export function writePidFile(path: string, processId: number): PidFile {
  write(path, `${processId}\n`);
  return {
    clear: () => {
      if (readPidFile(path) === processId) write(path, "");
    },
  };
}

/** Undefined if the file is missing or empty. */
export function readPidFile(path: string): number | undefined {
  const text = readText(path, { capBytes: longestBytes, links: "refuse" })?.trim() ?? "";
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
}

function write(path: string, text: string): void {
  refuseOthers(path);
  try {
    const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o644);
    try {
      ftruncateSync(file);
      writeSync(file, text);
    } finally {
      closeSync(file);
    }
  } catch (thrown) {
    throw new Fault("file-failed", {
      message: `the file of the process's number, ${path}, cannot be written: ${errnoWords(thrown)}`,
      hint: `see whose it is, \`ls -l ${shellWord(path)}\`; or name another: \`svc start --pid-file FILE\``,
      cause: thrown,
    });
  }
}

/** Refuses a file with other content, which a mistyped path would overwrite. */
function refuseOthers(path: string): void {
  const found = readFileCapped(path, { capBytes: longestBytes, links: "refuse" });
  const isOther = found.kind === "refused" ? lstatSync(path).isFile() : found.kind === "read" && !/^\d*\s*$/.test(found.text);
  if (!isOther) return;
  throw new Fault("file-failed", {
    message: `${path} holds something else than the number of a process, and is left as it is`,
    hint: `look at it, \`ls -l ${shellWord(path)}\`; or name another: \`svc start --pid-file FILE\``,
  });
}
