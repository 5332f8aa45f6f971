import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { errnoOf, errnoWords } from "../../machine/files/errno.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { shellWord } from "../../rules/text/shell-word.ts";

/** The permission bits of other users. */
const others = 0o077;
const directoryMode = 0o700;
const fileMode = 0o600;
/** Enough for twenty times a token, a key and some names. */
const mostBytes = 64 * 1024;

/** Reads a file that only this user can use, in a directory that only this user can use. Undefined if the file is missing. */
export function readOwn(path: string): string | undefined {
  if (!isOwnDirectory(dirname(path))) return undefined;
  const reading = readFileCapped(path, { capBytes: mostBytes, links: "refuse" });
  switch (reading.kind) {
    case "missing":
      return undefined;
    case "denied":
      throw notOwn(path, "may not be read by you");
    case "refused":
      throw unusable(path, `cannot be used: ${reading.why}`, `look at it: \`ls -l ${shellWord(path)}\`, and take it away`);
    case "read":
      checkRights(path, { ...reading, kind: "file" });
      return reading.text;
  }
}

/** Throws if no file could be written into the directory, as far as that can be seen. Makes nothing. */
export function requireWritable(directory: string): void {
  const into = isOwnDirectory(directory) ? directory : dirname(directory);
  try {
    accessSync(into, constants.W_OK | constants.X_OK);
  } catch (thrown) {
    throw notWritten(directory, thrown);
  }
}

/**
 * Writes a file, which then has either its old or its whole new text. Unlike the writer of system files, this does not use /proc, which not every
 * desktop has.
 */
export function writeOwn(path: string, text: string): void {
  const directory = dirname(path);
  try {
    mkdirSync(directory, { mode: directoryMode });
  } catch (thrown) {
    if (errnoOf(thrown) !== "EEXIST") throw notWritten(directory, thrown);
  }
  isOwnDirectory(directory);
  const making = join(directory, `.${basename(path)}.${process.pid}.tmp`);
  try {
    rmSync(making, { force: true });
    writeWhole(making, text);
    renameSync(making, path);
    sync(directory);
  } catch (thrown) {
    rmSync(making, { force: true });
    throw notWritten(path, thrown);
  }
}

/** Whether the directory exists. Refuses one that other users may write to or look into. */
export function isOwnDirectory(directory: string): boolean {
  const stats = lstatSync(directory, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (!stats.isDirectory()) {
    throw unusable(directory, "is no directory", `move it away: \`mv ${shellWord(directory)} ${shellWord(`${directory}.old`)}\``);
  }
  checkRights(directory, { kind: "directory", uid: stats.uid, mode: stats.mode });
  return true;
}

type Rights = { readonly kind: "file" | "directory"; readonly uid: number; readonly mode: number };

function checkRights(path: string, { kind, uid, mode }: Rights): void {
  if (uid !== process.geteuid?.()) throw notOwn(path, "belongs to another user");
  if ((mode & others) === 0) return;
  const [right, around] = kind === "file" ? ["600", dirname(path)] : ["700", path];
  throw unusable(
    path,
    `is open to other users (mode ${(mode & 0o777).toString(8).padStart(4, "0")})`,
    `if nobody else can have looked into it, type \`chmod ${right} ${shellWord(path)}\`; else \`rm -r ${shellWord(around)}\`, and sign in again`,
  );
}

function writeWhole(path: string, text: string): void {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, fileMode);
  try {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Syncs the directory, because a power cut may lose a new name. */
function sync(directory: string): void {
  const file = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function notOwn(path: string, why: string): Fault {
  return unusable(path, why, "sign in as the user that you are, without sudo; `id -un` and `echo $HOME` show who that is");
}

function unusable(path: string, why: string, hint: string): Fault {
  return new Fault("profile-unusable", { message: `${quote(path, 200)} ${why}`, hint });
}

function notWritten(path: string, thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  return new Fault("file-failed", {
    message: `${quote(path, 200)} could not be written: ${errnoWords(thrown)}`,
    hint: `look at the directory: \`ls -ld ${shellWord(dirname(path))}\`; \`df -h ${shellWord(dirname(path))}\` shows what room is left`,
    cause: thrown,
  });
}
