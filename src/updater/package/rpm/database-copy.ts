import { copyFileSync, constants, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../../rules/fault/fault.ts";
import { inDirectory } from "../../../machine/files/directory.ts";
import { roomAt } from "../../../machine/files/free-space.ts";
import { makeRoom } from "../../../machine/files/unwritable.ts";
import type { RpmCalls } from "./calls.ts";
import { namingHolder } from "../failure/failure.ts";
import { unwritable } from "./place.ts";
import { belowRoot } from "../../../machine/files/paths.ts";
import { whenFree } from "../call/patience.ts";

/** Only root writes in this directory, and rpm can reach it below its root. In memory, a large host's copy would take too much. */
const parent = "/var/lib/svc-upgrade";
const name = "rpm-copy";

/** Locks, and files that a database makes again whenever it is opened. */
const passing = /^\..*\.lock$|^__db\.|-shm$/;

/** The room for a copy, because a transaction at most doubles it. */
const timesItsSize = 2;

export type CopyingDatabase = Pick<RpmCalls, "ask" | "lockHolder" | "patience"> & { readonly root: string };

/** Makes a copy of rpm's database for the work, and passes its path to the work. */
export async function withDatabaseCopy<T>(calls: CopyingDatabase, work: (database: string) => Promise<T>): Promise<T> {
  const { root } = calls;
  const from = belowRoot(root, (await calls.ask(["--eval", "%{_dbpath}"])).stdout.trim());
  // Removes a copy that a power cut left, then makes the directory.
  make(root);
  try {
    await copyAtRest(calls, from);
    return await work(join(parent, name));
  } finally {
    remove(root);
  }
}

/** Copies again until nobody wrote meanwhile: only then the copy is good. */
function copyAtRest(calls: CopyingDatabase, from: string): Promise<void> {
  return whenFree(calls.patience, async () => {
    const holder = calls.lockHolder();
    if (holder === undefined && copy(calls.root, from) === "at rest" && calls.lockHolder() === undefined) {
      return { kind: "done", value: undefined };
    }
    make(calls.root);
    return { kind: "busy", busy: () => namingHolder(busy(), holder, "rpm's database") };
  });
}

function copy(root: string, from: string): "at rest" | "changing" {
  const to = belowRoot(root, join(parent, name));
  try {
    return inDirectory(from, { root, missing: "refuse" }, (source) => {
      const files = filesIn(source.at);
      refuseWithoutRoom(to, files);
      return inDirectory(to, { root, missing: "refuse" }, (target) => {
        for (const file of files)
          copyFileSync(`${source.at}/${file.name}`, `${target.at}/${file.name}`, constants.COPYFILE_FICLONE);
        return stamp(filesIn(source.at)) === stamp(files) ? "at rest" : "changing";
      });
    });
  } catch (thrown) {
    if (thrown instanceof Fault) throw thrown;
    throw unwritable(to, `${from} could not be copied there`, thrown);
  }
}

type DatabaseFile = { readonly name: string; readonly bytes: number; readonly changedMs: number };

/** The database's files; none if it is empty, because then somebody only asked and so made it. */
function filesIn(directory: string): readonly DatabaseFile[] {
  return readdirSync(directory)
    .toSorted()
    .flatMap((file) => {
      const stats = passing.test(file) ? undefined : statSync(`${directory}/${file}`, { throwIfNoEntry: false });
      return stats?.isFile() === true && stats.size > 0 ? [{ name: file, bytes: stats.size, changedMs: stats.mtimeMs }] : [];
    });
}

function stamp(files: readonly DatabaseFile[]): string {
  return JSON.stringify(files);
}

function refuseWithoutRoom(directory: string, files: readonly DatabaseFile[]): void {
  const needed = files.reduce((sum, { bytes }) => sum + bytes, 0) * timesItsSize;
  const { freeBytes, point } = roomAt(directory);
  if (freeBytes >= needed) return;
  const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`;
  throw new Fault("no-space", {
    message: `a copy of rpm's database needs ${megabytes(needed)} on ${point}, and ${megabytes(freeBytes)} are free`,
    hint: makeRoom(point),
  });
}

function make(root: string): void {
  const directory = belowRoot(root, parent);
  try {
    inDirectory(directory, { root, missing: "make" }, ({ at }) => {
      rmSync(join(at, name), { recursive: true, force: true });
      mkdirSync(join(at, name), 0o700);
    });
  } catch (thrown) {
    if (thrown instanceof Fault) throw thrown;
    throw unwritable(directory, "no directory could be made in it", thrown);
  }
}

function remove(root: string): void {
  inDirectory(belowRoot(root, parent), { root, missing: "refuse" }, ({ at }) =>
    rmSync(join(at, name), { recursive: true, force: true }),
  );
}

function busy(): Fault {
  return new Fault("manager-busy", {
    message: "rpm's database is being written to, and could not be copied",
    hint: "wait for it to end; the next pass tries again",
  });
}
