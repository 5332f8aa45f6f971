import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { unwritable } from "../rpm/place.ts";

/** A fixed path, because the TMPDIR that systemd passes on may name any directory. */
const parent = "/tmp";

/** Makes a directory for the work, on this machine even if the settings name another root. Nobody else may enter it. */
export async function withPrivateDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await make();
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function make(): Promise<string> {
  try {
    return await mkdtemp(join(parent, "svc-upgrade-call-"));
  } catch (thrown) {
    throw unwritable(parent, "no directory could be made in it", thrown);
  }
}
