import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { errnoOf } from "../../host/errno.ts";
import type { OfferedFile } from "./offered-file.ts";

/** Whether the file is there, and is one of those that are offered under its name. */
export async function contentOf(path: string, offered: readonly OfferedFile[]): Promise<"offered" | "other" | "none"> {
  for (const { algorithm, hash } of offered) {
    const found = await hashOf(path, algorithm);
    if (found === undefined) return "none";
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
