import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../../rules/fault/fault.ts";
import { errnoOf, errnoWords } from "../../machine/files/errno.ts";
import { shellWord } from "../../rules/fault/shell-word.ts";

/** Made where there is none; what it lies in has to be there, or a slip would begin a new cluster somewhere. */
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
