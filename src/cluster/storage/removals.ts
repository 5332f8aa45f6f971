import { closeSync, constants, fchmodSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { isClusterFault } from "../../rules/fault/tell-fault.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { inDirectory } from "../../machine/files/directory.ts";
import { errnoWords } from "../../machine/files/errno.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { isFull, whereUnwritable } from "../../machine/files/unwritable.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Committed, Revision } from "./port.ts";

/** A permanent removal: no older backup may bring it back. It contains no secret. */
export type Removal = {
  readonly at: UnixSeconds;
  /** The item's revision when it was removed. A new item with the same name has a later one. */
  readonly revision: Revision;
  /** After this time nothing can be renewed any more, and the line is dropped. Undefined means never. */
  readonly until: UnixSeconds | undefined;
} & (
  | { readonly kind: "instance"; readonly name: string; readonly keyDigest: string }
  | { readonly kind: "user"; readonly name: string }
  /** An authority that the second step of a rotation removed. */
  | { readonly kind: "authority"; readonly name: string }
  /** A password that became void. Its user still exists. */
  | { readonly kind: "password"; readonly name: string }
);

/** Removals are in a file beside the store, which a restore leaves in place. Every commit that removes something runs inside `during`. */
export type Removals = {
  /** Writes and syncs the removal before the commit begins. Takes it back if the commit did not happen. */
  readonly during: (removal: Removal, commit: () => Promise<Committed>) => Promise<Committed>;
  /** The removals that count, without those taken back. */
  readonly all: () => readonly Removal[];
  /** Drops expired removals, and those whose item is still there: the program died between the line and the commit. */
  readonly prune: (now: UnixSeconds, isStillThere: (removal: Removal) => Promise<boolean>) => Promise<void>;
};

export function removalsPath(store: string): string {
  return `${store}.removals`;
}

/** Only the program that holds the store may use this. */
export function removalsBeside(store: string): Removals {
  const path = removalsPath(store);
  const all = (): readonly Removal[] => counting(readLines(path));
  return {
    during: async (removal, commit) => {
      append(path, { kind: "removed", removal });
      const undo = (): void => append(path, { kind: "kept", removal });
      try {
        const committed = await commit();
        if (committed.kind !== "done") undo();
        return committed;
      } catch (thrown) {
        undo();
        throw thrown;
      }
    },
    all,
    prune: async (now, isStillThere) => {
      const found = all();
      const counts: Removal[] = [];
      for (const removal of found) {
        if ((removal.until ?? Infinity) > now && !(await isStillThere(removal))) counts.push(removal);
      }
      // Keeps removals that came while we asked.
      const since = all().filter((removal) => !found.some((other) => isSame(removal, other)));
      if (counts.length < found.length) rewrite(path, [...counts, ...since]);
    },
  };
}

/** "kept": the commit did not happen, so the earlier line does not count. */
type Line = { readonly kind: "removed" | "kept"; readonly removal: Removal };

function counting(lines: readonly Line[]): readonly Removal[] {
  let found: readonly Removal[] = [];
  for (const { kind, removal } of lines) {
    found = kind === "removed" ? [...found, removal] : found.filter((other) => !isSame(other, removal));
  }
  return found;
}

function isSame(one: Removal, other: Removal): boolean {
  return one.kind === other.kind && one.name === other.name && one.revision === other.revision;
}

/** Prints a sum before the JSON, so that a damaged line is noticed. */
function printLine(line: Line): string {
  const text = JSON.stringify(line);
  return `${sumOf(text)} ${text}\n`;
}

function sumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}

/** Far more than needed: a line has some 200 bytes. */
const capBytes: number = 256 * 1024 * 1024;

function readLines(path: string): readonly Line[] {
  const reading = readFileCapped(path, { capBytes, links: "refuse" });
  switch (reading.kind) {
    case "missing":
      return [];
    case "denied":
      throw unreadable(path, "another user may read it, and this one not", giveIt(path));
    case "refused":
      throw unreadable(path, reading.why);
    case "read":
      return wholeLines(reading.text).map((text, index) => readLine(text, { path, number: index + 1 }));
  }
}

/** Drops half a line at the end: a power cut came before its commit began. */
function wholeLines(text: string): readonly string[] {
  return text.split("\n").slice(0, -1);
}

function readLine(text: string, at: { readonly path: string; readonly number: number }): Line {
  const json = text.slice(9);
  if (sumOf(json) !== text.slice(0, 8)) throw unreadable(at.path, `line ${at.number} is not what was written`);
  return JSON.parse(json) as Line;
}

const appending: number = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function append(path: string, line: Line): void {
  try {
    inDirectory(dirname(path), { root: "/", missing: "refuse" }, (directory) => {
      const file = openSync(path, appending, 0o600);
      try {
        fchmodSync(file, 0o600);
        // Writes after the last whole line, because a power cut may have left half of one.
        const end = endOfLines(path);
        ftruncateSync(file, end);
        writeWhole(file, Buffer.from(printLine(line)), end);
        fsyncSync(file);
        directory.sync();
      } finally {
        closeSync(file);
      }
    });
  } catch (thrown) {
    throw isClusterFault(thrown) ? thrown : unwritable(path, thrown);
  }
}

function endOfLines(path: string): number {
  const reading = readFileCapped(path, { capBytes, links: "refuse" });
  if (reading.kind !== "read") throw unreadable(path, reading.kind === "refused" ? reading.why : "it cannot be read");
  return Buffer.byteLength(reading.text.slice(0, reading.text.lastIndexOf("\n") + 1));
}

function writeWhole(file: number, bytes: Buffer, at: number): void {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, at + done);
}

function rewrite(path: string, removals: readonly Removal[]): void {
  const text = removals.map((removal) => printLine({ kind: "removed", removal })).join("");
  writeFileAtomically(path, text, { root: "/", mode: 0o600, fault: "file-failed" });
}

function giveIt(path: string): string {
  return `give it to the user of its directory: \`sudo chown --reference=${dirname(path)} ${path}\``;
}

function withoutIt(path: string): string {
  return `look at it; without it a restore may bring back what was removed: \`sudo mv ${path} ${path}.damaged\``;
}

function unreadable(path: string, why: string, hint: string = withoutIt(path)): Fault {
  const message = `${path}, which says what was removed from the cluster, cannot be read: ${why}`;
  return new Fault("store-unreadable", { message, hint });
}

function unwritable(path: string, cause: unknown): Fault {
  return new Fault(isFull(cause) ? "store-full" : "store-failed", {
    message: `${path}, which says what was removed from the cluster, could not be written: ${errnoWords(cause)}; nothing was removed`,
    hint: whereUnwritable(cause, dirname(path)),
    cause,
  });
}
