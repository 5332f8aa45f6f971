import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
  createReadStream,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Fault } from "../../rules/fault/fault.ts";
import { errnoOf, errnoWords } from "../../machine/files/errno.ts";
import { kindOf } from "../../machine/files/read-file.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import { whereUnwritable } from "../../machine/files/unwritable.ts";
import { readBackup } from "../storage/backup-file.ts";
import type { BackupHeader } from "../storage/backup-line.ts";

export type BackupOptions = {
  readonly file: string;
  /** `replace`: an existing file is replaced at the end, when the backup is complete. */
  readonly existing: "refuse" | "replace";
  /** Auth's answer to svc.v1.ClusterService/Backup, in pieces. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
};

export type BackupMade = {
  readonly file: string;
  readonly header: BackupHeader;
  readonly items: number;
  readonly events: number;
};

/** Writes a backup. The file appears only when it is complete, was read again and is on the disk. */
export async function writeBackup({ file, existing, chunks }: BackupOptions): Promise<BackupMade> {
  const path = resolve(file);
  const there = lstatSync(path, { throwIfNoEntry: false });
  // Refuses devices: a rename would take /dev/null or /dev/stdout away from everybody.
  if (there?.isFile() === false) throw isNoFile(path, kindOf(there));
  if (existing === "refuse" && there !== undefined) throw isThere(path);
  const making = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    await writePrivate(making, chunks());
    const made = await readAgain(making, path);
    giveName(making, { path, existing });
    return made;
  } catch (thrown) {
    const isTold = thrown instanceof Fault;
    throw isTold || errnoOf(thrown) === undefined ? thrown : unwritable(path, thrown);
  } finally {
    rmSync(making, { force: true });
  }
}

/** Says that the file is worth as much as the cluster. */
export function backupSentences({ file, header, items, events }: BackupMade): readonly string[] {
  return [
    `backup of cluster ${header.cluster} written to ${file}: ${items} items, ${events} audit events`,
    "It holds the key of the cluster's certificate authority: anyone who has the file can make certificates. Keep it where only root can read it.",
  ];
}

async function writePrivate(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  rmSync(path, { force: true });
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    fchmodSync(file, 0o600);
    for await (const chunk of chunks) {
      for (let done = 0; done < chunk.length;) done += writeSync(file, chunk, done);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

async function readAgain(making: string, path: string): Promise<BackupMade> {
  const { header, lines } = await readBackup(createReadStream(making), path);
  let [items, events] = [0, 0];
  for await (const some of lines) {
    for (const { kind } of some) {
      if (kind === "item") items += 1;
      if (kind === "event") events += 1;
    }
  }
  return { file: path, header, items, events };
}

function giveName(
  making: string,
  { path, existing }: { readonly path: string; readonly existing: BackupOptions["existing"] },
): void {
  if (existing === "replace") renameSync(making, path);
  else {
    try {
      // Makes a link, because unlike a rename it replaces nothing.
      linkSync(making, path);
    } catch (thrown) {
      throw errnoOf(thrown) === "EEXIST" ? isThere(path) : thrown;
    }
  }
  const directory = openSync(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

function isThere(path: string): Fault {
  return new Fault("resource-exists", {
    message: `${path} is there already, and was not touched`,
    hint: `choose another name, or replace it: \`sudo tctl backup -f ${shellWord(path)}\``,
  });
}

function isNoFile(path: string, kind: string): Fault {
  return new Fault("resource-exists", {
    message: `${path} is ${kind}, and was not touched`,
    hint: "name a new file: `tctl backup FILE`",
  });
}

function unwritable(path: string, cause: unknown): Fault {
  return new Fault("store-failed", {
    message: `the backup ${path} could not be written: ${errnoWords(cause)}; there is no such file now`,
    hint: whereUnwritable(cause, dirname(path)),
    cause,
  });
}
