import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { gzipSync } from "node:zlib";

/** One entry of a package: its path in the tree, and its content. */
export type TreeFile = { readonly to: string; readonly mode?: number } & (
  | { readonly from: string }
  | { readonly text: string }
  | { readonly compressed: string }
  | { readonly compressedFrom: string }
  /** A symbolic link, with the text of its target. */
  | { readonly link: string }
  /** "agent's": `enroll` gives the folder to the agent's user, and an upgrade of the package does not change that. */
  | { readonly folder: "root's" | "agent's" }
);

/** "tight" is for releases and takes a minute of processor time. "loose" contains the same files. */
export type Packing = "tight" | "loose";

/** Writes the files. Sets each mode itself, so that the builder's umask has no effect. */
export function fillTree(tree: string, files: readonly TreeFile[]): void {
  for (const file of files) {
    const path = resolve(tree, file.to);
    makeFolder(tree, "folder" in file ? path : dirname(path));
    if ("folder" in file) continue;
    if ("link" in file) {
      symlinkSync(file.link, path);
      continue;
    }
    if ("from" in file) copyFileSync(file.from, path);
    else writeFileSync(path, "text" in file ? file.text : gzipped(file));
    chmodSync(path, file.mode ?? 0o644);
  }
}

function gzipped(file: Extract<TreeFile, { compressed: string } | { compressedFrom: string }>): Buffer {
  return gzipSync("compressed" in file ? file.compressed : readFileSync(file.compressedFrom), { level: 9 });
}

/** The size as dpkg's tools count it: each file is rounded up to kilobytes, and a folder counts as one. */
export function installedKilobytes(tree: string): number {
  const sizes = entries(tree).map((path) => lstatSync(path));
  return sizes.reduce((sum, one) => sum + (one.isFile() ? Math.ceil(one.size / 1024) : 1), 0);
}

/** The checksums that `dpkg --verify` reads. */
export function checksums(tree: string): string {
  const files = entries(tree).filter((path) => lstatSync(path).isFile());
  return files.map((path) => `${createHash("md5").update(readFileSync(path)).digest("hex")}  ${relative(tree, path)}\n`).join("");
}

export function settleTimes(tree: string, unixSeconds: number): void {
  for (const path of [...entries(tree), tree]) lutimesSync(path, unixSeconds, unixSeconds);
}

function makeFolder(tree: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (let path = folder; path.startsWith(tree); path = dirname(path)) chmodSync(path, 0o755);
}

function entries(tree: string): readonly string[] {
  return readdirSync(tree, { recursive: true, encoding: "utf8" })
    .map((name) => resolve(tree, name))
    .toSorted();
}
