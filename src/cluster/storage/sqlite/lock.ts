import { Fault } from "../../../rules/fault/fault.ts";
import { lockHolder } from "../../../machine/processes/lock-holder.ts";
import { isOwnFile, makeFile } from "./place.ts";
import { openDatabase } from "./connection.ts";
import { isBusy, told } from "./tell-sqlite-fault.ts";

/** Holds the store of this path until it is released or the process dies. */
export type StoreLock = { readonly release: () => void };

/** The path of the lock beside the store. The file stays empty, and is never removed or moved, or two processes could lock two files of one name. */
export function lockPath(store: string): string {
  return `${store}.lock`;
}

export function lockStore(store: string): StoreLock {
  return lockFile(lockPath(store), {
    has: `has the store ${store} open`,
    hint: "one auth service for a store: `systemctl status svc` shows the one that runs, `sudo systemctl stop svc` stops it",
  });
}

/** Texts for a fault about the process that has the lock. */
type Held = { readonly has: string; readonly hint: string };

/** Takes a lock of the kernel's, through SQLite because Node has no call for it. */
export function lockFile(path: string, { has, hint }: Held): StoreLock {
  if (!isOwnFile(path)) makeFile(path);
  const database = openDatabase(path, "write");
  try {
    // Makes no journal beside the file, because nothing is ever written to it.
    database.exec("PRAGMA journal_mode = MEMORY");
    database.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    database.close();
    if (!isBusy(cause)) throw told(cause, path);
    throw new Fault("store-in-use", { message: `${holderOf(path)} ${has}`, hint, cause });
  }
  return { release: () => database.close() };
}

function holderOf(path: string): string {
  const holder = lockHolder(path);
  if (holder === undefined) return "another process";
  return `process ${holder.pid}${holder.program === undefined ? "" : ` (${holder.program})`}`;
}
