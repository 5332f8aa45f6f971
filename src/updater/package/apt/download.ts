import { existsSync, createReadStream } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Fault } from "../../../rules/fault/fault.ts";
import type { WantedFile } from "../manager/manager.ts";
import { archivesArgv, downloadArgv, fetchArgv, unfetchedArgv } from "./argv.ts";
import { attempt } from "./attempt.ts";
import type { AptCalls } from "./calls.ts";
import { archivesFrom, localFileIn, type OfferedFile } from "./offered-file.ts";
import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { errnoOf } from "../../../machine/files/errno.ts";

type Wanted = Omit<WantedFile, "is">;

/**
 * Puts the files where an installation looks for them, and returns their paths. apt checks only the size of a cached file, and a power cut leaves
 * files of the right size without content: such files are fetched again.
 */
export async function download(calls: AptCalls, wanted: Wanted, files: readonly OfferedFile[]): Promise<readonly string[]> {
  const archives = archivesFrom((await calls.ask(archivesArgv())).stdout);
  const names = [...new Set(files.map(({ name }) => name))];
  const cached = await Promise.all(names.map(async (name) => contentOf(`${archives}${name}`, named(name, files))));
  if (cached.every((content) => content === "offered")) return names.map((name) => `${archives}${name}`);
  const spoilt = names.filter((_, index) => cached[index] === "other").map((name) => `${archives}${name}`);
  if (spoilt.length > 0) await calls.actOffline(["rm", "-f", ...spoilt], `remove damaged downloads of ${wanted.name}`);
  const failure = await attempt(calls, fetchArgv(wanted), `install --download-only ${wanted.name}=${wanted.version}`);
  if (failure !== undefined) throw asDownload(failure);
  return findAll(calls, wanted, { archives, names });
}

type Archives = { readonly archives: string; readonly names: readonly string[] };

/** Finds all files in the cache or, for a repository on the host itself, in place: apt does not copy those into its cache. */
async function findAll(calls: AptCalls, wanted: Wanted, { archives, names }: Archives): Promise<readonly string[]> {
  const unfetched = (await calls.ask(unfetchedArgv(wanted))).stdout;
  const paths = names.map((name) => localFileIn(unfetched, name) ?? `${archives}${name}`);
  const own = paths.find((path) => basename(path).startsWith(`${wanted.name}_`));
  if (own?.startsWith(archives) === true && !existsSync(own)) await downloadApart(calls, wanted, own);
  return paths;
}

/**
 * Downloads the files without apt's plan, because apt silently downloads nothing for an unpacked but unconfigured package. apt's unprivileged half
 * may write only to its directory for partial downloads, so each file is moved from there to apt's usual place.
 */
async function downloadApart(calls: AptCalls, wanted: Wanted, path: string): Promise<void> {
  const partial = join(dirname(path), "partial");
  const failure = await attempt(calls, downloadArgv(wanted, partial), `download ${wanted.name}=${wanted.version}`);
  if (failure !== undefined) throw asDownload(failure);
  await calls.actOffline(["mv", "-f", join(partial, basename(path)), path], `store the download of ${wanted.name}`);
}

function named(name: string, files: readonly OfferedFile[]): readonly OfferedFile[] {
  return files.filter((file) => file.name === name);
}

/** A failed download has installed nothing, so it is never the fault `install-failed`. */
function asDownload(failure: Fault): Fault {
  if (failure.code !== "install-failed") return failure;
  return new Fault("download-failed", { message: failure.message, hint: failure.hint, cause: failure });
}

/** Whether the file is one that a repository offers under this name; undefined if it is missing. */
async function contentOf(path: string, offered: readonly OfferedFile[]): Promise<"offered" | "other" | undefined> {
  for (const { algorithm, hash } of offered) {
    const found = await hashOf(path, algorithm);
    if (found === undefined) return undefined;
    if (found === hash) return "offered";
  }
  return "other";
}

async function hashOf(path: string, algorithm: OfferedFile["algorithm"]): Promise<string | undefined> {
  const hash = createHash(algorithm);
  try {
    await pipeline(createReadStream(path), hash);
    return hash.digest("hex");
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT") return undefined;
    throw thrown;
  }
}
