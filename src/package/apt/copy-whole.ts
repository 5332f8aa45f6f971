import { createHash } from "node:crypto";
import { constants, createReadStream, createWriteStream } from "node:fs";
import { chmod, open, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { Fault } from "../../fault/fault.ts";
import { errnoOf, errnoWords } from "../../host/errno.ts";

/** What the content must be. */
export type Content = { readonly algorithm: "sha256" | "sha512"; readonly hash: string };

/** The target is then there as a whole, also after a power cut; or as it was before. */
export async function copyWhole(source: string, target: string, content: Content): Promise<"copied" | "other-content"> {
  const directory = dirname(target);
  const temporary = `${directory}/.${basename(target)}.new`;
  try {
    const hash = await copy(source, temporary, content.algorithm);
    if (hash !== content.hash) return "other-content";
    await rename(temporary, target);
    await sync(directory);
    return "copied";
  } catch (thrown) {
    throw copyFault(source, directory, thrown);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Gives the hash of what it has written. */
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
  // The umask may have taken bits away.
  await chmod(temporary, 0o644);
  return hash.digest("hex");
}

/** Without it the rename may be lost in a power cut. */
async function sync(directory: string): Promise<void> {
  const opened = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

function copyFault(source: string, directory: string, thrown: unknown): Fault {
  const isFull = ["ENOSPC", "EDQUOT"].includes(errnoOf(thrown) ?? "");
  return new Fault(isFull ? "no-space" : "file-failed", {
    message: `${source} could not be copied to ${directory}: ${errnoWords(thrown)}`,
    hint: isFull
      ? `make room there; df -h ${directory} and df -i ${directory} say how much there is`
      : `look at ls -l ${source} and ls -ld ${directory}`,
    cause: thrown,
  });
}
