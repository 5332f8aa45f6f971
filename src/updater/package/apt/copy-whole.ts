import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { chmod, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { Fault } from "../../../rules/fault/fault.ts";
import { openDirectory } from "../../../machine/files/directory.ts";
import { unwritable } from "../rpm/place.ts";

/** The hash that the file must have. */
export type Content = { readonly algorithm: "sha256" | "sha512"; readonly hash: string };

export type CopyingFile = {
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
