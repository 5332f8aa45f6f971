import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  type Stats,
} from "node:fs";
import { dirname, join } from "node:path";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { inDirectory, makeDirectory } from "../../machine/files/directory.ts";
import { errnoOf, errnoWords } from "../../machine/files/errno.ts";
import type { Paths } from "../../machine/files/paths.ts";
import { isFull, whereUnwritable } from "../../machine/files/unwritable.ts";
import type { KeptSet } from "../record/ledger.ts";
import type { KeptPackage } from "../record/state.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";

export type KeptPlace = Pick<Paths, "root" | "keptPackages">;

/** No agent's package is nearly as large. A larger file is not read. */
const capBytes: number = 1024 * 1024 * 1024;
const chunkBytes: number = 1024 * 1024;

/** Makes the directory if it is missing. Refuses one in which others could change files. */
export function prepareKept({ root, keptPackages: directory }: KeptPlace): void {
  try {
    makeDirectory(directory, { root });
    const flaw = flawOf(lstatSync(directory), "directory");
    if (flaw !== undefined) throw unkept(directory, flaw);
  } catch (thrown) {
    throw thrown instanceof Fault ? thrown : unkept(directory, errnoWords(thrown), thrown);
  }
}

/** Records a file that was just put there. From now on, a power cut cannot damage it. */
export function adoptPackage(directory: string, file: string, packageVersion: PackageVersion): KeptPackage {
  const path = join(directory, file);
  try {
    const seen = lookAt(directory, file);
    if (seen.kind === "unusable") throw unkept(path, seen.why);
    syncFile(path);
    sync(directory);
    return { packageVersion, file, sha256: seen.sha256, bytes: seen.bytes };
  } catch (thrown) {
    throw thrown instanceof Fault ? thrown : unkept(path, errnoWords(thrown), thrown);
  }
}

export type KeptCheck = { readonly kind: "whole" } | Unusable;

export function checkFile(directory: string, { file, sha256, bytes }: KeptPackage): KeptCheck {
  const seen = look(directory, file);
  if (seen.kind === "unusable") return seen;
  if (seen.bytes !== bytes) return { kind: "unusable", why: `it has ${seen.bytes} bytes and had ${bytes}` };
  if (seen.sha256 !== sha256) return { kind: "unusable", why: "its content is another by now" };
  return { kind: "whole" };
}

/** Checks the agent's package and its companions. One damaged file spoils the set. */
export function checkSet(directory: string, set: KeptSet): KeptCheck {
  for (const one of [set, ...set.companions]) {
    const found = checkFile(directory, one);
    if (found.kind === "unusable") return one === set ? found : unusable(`${one.file}: ${found.why}`);
  }
  return { kind: "whole" };
}

export function filesIn(sets: readonly KeptSet[]): readonly string[] {
  return sets.flatMap((set) => [set.file, ...set.companions.map(({ file }) => file)]);
}

/** Removes everything else in the directory. */
export function keepOnly({ root, keptPackages: directory }: KeptPlace, files: readonly string[]): void {
  const names = new Set(files);
  try {
    const flaw = flawOf(lstatSync(directory), "directory");
    if (flaw !== undefined) throw unkept(directory, flaw);
    inDirectory(directory, { root, missing: "refuse" }, ({ at, sync: syncHere }) => {
      const others = readdirSync(at).filter((name) => !names.has(name));
      // Removes a link itself, and not its target.
      for (const name of others) rmSync(join(at, name), { recursive: true, force: true });
      if (others.length > 0) syncHere();
    });
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT") return;
    throw thrown instanceof Fault ? thrown : unkept(directory, errnoWords(thrown), thrown);
  }
}

type Unusable = { readonly kind: "unusable"; readonly why: string };
type Found = { readonly kind: "found" } & Pick<KeptPackage, "sha256" | "bytes">;

/** A file that cannot be read allows no rollback. */
function look(directory: string, name: string): Found | Unusable {
  try {
    return lookAt(directory, name);
  } catch (thrown) {
    return unusable(errnoOf(thrown) === "ENOENT" ? "it is not there" : errnoWords(thrown));
  }
}

/** Looks at the open file, not at its name, and never waits for the other end of a pipe. */
function lookAt(directory: string, name: string): Found | Unusable {
  if (["", ".", ".."].includes(name) || /[/\0]/.test(name)) return unusable(`"${quote(name)}" is no name of a file`);
  const around = flawOf(lstatSync(directory), "directory");
  if (around !== undefined) return unusable(`its directory: ${around}`);
  const path = join(directory, name);
  const flaw = flawOf(lstatSync(path), "file");
  if (flaw !== undefined) return unusable(flaw);
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const opened = fstatSync(file);
    const since = flawOf(opened, "file");
    return since === undefined ? fingerprint(file, opened.size) : unusable(since);
  } finally {
    closeSync(file);
  }
}

/** Refuses a file with another name, or one that others than root and this user can change. */
function flawOf(stats: Stats, wanted: "directory" | "file"): string | undefined {
  if (stats.isSymbolicLink()) return "it is a symbolic link";
  if (!(wanted === "directory" ? stats.isDirectory() : stats.isFile())) return `it is not a ${wanted}`;
  // An ordinary user trusts root and itself.
  if (stats.uid !== 0 && stats.uid !== process.geteuid?.()) return `it belongs to user ${stats.uid}`;
  if ((stats.mode & 0o022) !== 0) return `it can be written by others (mode ${(stats.mode & 0o7777).toString(8)})`;
  if (wanted === "directory") return undefined;
  if (stats.nlink !== 1) return "it has another name elsewhere";
  return stats.size > capBytes ? `it is larger than ${capBytes} bytes` : undefined;
}

/** Reads in pieces, because a package may be larger than the free memory. */
function fingerprint(file: number, size: number): Found | Unusable {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let bytes = 0;
  for (;;) {
    const length = readSync(file, chunk, 0, chunk.length, null);
    if (length === 0) break;
    hash.update(chunk.subarray(0, length));
    bytes += length;
    if (bytes > size) break;
  }
  return bytes === size ? { kind: "found", sha256: hash.digest("hex"), bytes } : unusable("it is still being written");
}

function unusable(why: string): Unusable {
  return { kind: "unusable", why };
}

function syncFile(path: string): void {
  syncOpened(openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
}

/** Syncs the directory, because a power cut may lose a new name. */
function sync(directory: string): void {
  syncOpened(openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY));
}

function syncOpened(opened: number): void {
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

function unkept(path: string, why: string, cause?: unknown): Fault {
  return new Fault(isFull(cause) ? "no-space" : "file-failed", {
    message: `${path} cannot keep a package: ${why}`,
    hint: whereUnwritable(cause, dirname(path)),
    cause,
  });
}
