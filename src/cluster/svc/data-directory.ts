import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fault } from "../../rules/fault/fault.ts";
import type { Log } from "../../machine/logging/log.ts";
import { errnoOf, errnoWords } from "../../machine/files/errno.ts";
import { shellWord } from "../../rules/text/shell-word.ts";

/** Makes the directory if it is missing. Its parent must exist, or a typing mistake would start a new cluster elsewhere. */
export function makeDataDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    const errno = errnoOf(thrown);
    if (errno === "EEXIST") return;
    throw new Fault("file-failed", {
      message: `svc.data_dir, ${path}, cannot be made: ${errnoWords(thrown)}`,
      hint:
        errno === "ENOENT"
          ? `make what it lies in, \`mkdir -p ${shellWord(dirname(path))}\`, or correct svc.data_dir`
          : `make it, and give it to the user that svc runs as: \`sudo install -d -m 0700 -o svc -g svc ${shellWord(path)}\``,
      cause: thrown,
    });
  }
}

/**
 * Refuses a second `svc start` with the same data_dir, which would be the same instance. If locking itself fails, the service starts all the same.
 */
export async function lockDataDirectory(path: string, log: Log): Promise<() => void> {
  const [{ asOwner }, { lockFile }] = await Promise.all([import("../storage/as-owner.ts"), import("../storage/sqlite/lock.ts")]);
  const held = {
    has: `runs with the data_dir ${path}`,
    hint: "one svc for a data_dir: `systemctl status svc` shows the one that runs, `sudo systemctl stop svc` stops it",
  };
  try {
    // oxlint-disable-next-line typescript/require-await -- with the rights of somebody else for that long
    return await asOwner(path, async () => lockFile(join(path, "svc.lock"), held).release);
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code === "store-in-use") throw thrown;
    log("warning", `a second svc is not kept out of ${path}: ${thrown.message}; ${thrown.hint}`, { fault: thrown.code });
    return () => undefined;
  }
}
