import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { unwritable } from "../rpm/place.ts";

/** Not where a variable says: in a unit that is the service manager's, and may name anything. */
const parent = "/tmp";

/** Has a directory on the machine itself for as long as the work takes, whichever root is worked below. Nobody else may enter it. */
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
