import { Fault } from "../../../rules/fault/fault.ts";
import type { WantedFile } from "../manager/manager.ts";
import { controlArgv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { download } from "./download.ts";
import { aptFault } from "./failure.ts";
import { offeredFile, type OfferedFile } from "./offered-file.ts";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { chmod, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { openDirectory } from "../../../machine/files/directory.ts";
import { unwritable } from "../rpm/place.ts";

/**
 * Fetches a file through apt's own cache, where an installation looks before it downloads, and copies it from there. apt has checked its origin; this
 * checks again that the file is the one in the signed list.
 */
export async function fetchFile(calls: AptCalls, wanted: WantedFile, directory: string): Promise<string> {
  const offered = await askOffered(calls, wanted);
  const [path = offered.name] = await download(calls, wanted, [offered]);
  const copying = { source: path, target: `${directory}/${offered.name}`, root: calls.root };
  if ((await copyWhole(copying, offered)) === "copied") return offered.name;
  throw new Fault("download-failed", {
    message: `${path} is not what the repository's list names`,
    hint: "remove it, and try `sudo apt-get update`",
  });
}

/** Finds the file in apt's cache, or has apt download it there. Returns its path. */
export async function fetchIntoCache(calls: AptCalls, wanted: Exactly): Promise<string> {
  const offered = await askOffered(calls, wanted);
  const [path = offered.name] = await download(calls, wanted, [offered]);
  return path;
}

type Exactly = Omit<WantedFile, "is">;

async function askOffered({ ask }: AptCalls, wanted: Exactly): Promise<OfferedFile> {
  const { name, version } = wanted;
  const { status, stdout, output } = await ask(controlArgv([wanted]));
  if (status !== 0) throw aptFault(output, `show ${name}=${version}`);
  const offered = offeredFile(stdout, wanted);
  if (offered !== undefined) return offered;
  throw new Fault("not-offered", {
    message: `no repository of this host offers ${name} ${version}, so its file cannot be fetched`,
    hint: `see what they offer with \`apt-cache policy ${name}\``,
  });
}

/** The hash that the file must have. */
type Content = { readonly algorithm: "sha256" | "sha512"; readonly hash: string };

type CopyingFile = {
  readonly source: string;
  readonly target: string;
  /** The root in which the target is. */
  readonly root: string;
};

/** Copies a file. Afterwards the target is the whole new file, even after a power cut, or it is unchanged. */
export async function copyWhole({ source, target, root }: CopyingFile, content: Content): Promise<"copied" | "other-content"> {
  try {
    const directory = openDirectory(dirname(target), { root, missing: "refuse" });
    const name = basename(target);
    const temporary = `${directory.at}/.${name}.new`;
    try {
      const hash = await copy(source, temporary, content.algorithm);
      if (hash !== content.hash) return "other-content";
      await rename(temporary, `${directory.at}/${name}`);
      directory.sync();
      return "copied";
    } finally {
      await rm(temporary, { force: true });
      directory.close();
    }
  } catch (thrown) {
    throw thrown instanceof Fault ? thrown : unwritable(dirname(target), `${source} could not be copied there`, thrown);
  }
}

/** Copies, and returns the hash of what it wrote. */
async function copy(source: string, temporary: string, algorithm: Content["algorithm"]): Promise<string> {
  await rm(temporary, { force: true });
  const hash = createHash(algorithm);
  const hashing = async function* (chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(createReadStream(source), hashing, createWriteStream(temporary, { flags: "wx", mode: 0o644, flush: true }));
  // Sets the mode again, because the umask may have removed bits.
  await chmod(temporary, 0o644);
  return hash.digest("hex");
}
