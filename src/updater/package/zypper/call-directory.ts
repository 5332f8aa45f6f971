import { mkdtempSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Fault } from "../../../rules/fault/fault.ts";
import { inDirectory } from "../../../machine/files/directory.ts";
import { refuseForeign } from "../../../machine/files/foreign-part.ts";

/** The files in a call's directory: their paths and texts. */
export type CallFiles = Readonly<Record<string, string>>;

/** Makes a directory with files for one call. They may hold passwords, so only root may read them. */
export async function withCallDirectory<T>(
  root: string,
  filesFor: (directory: string) => CallFiles,
  work: (directory: string) => Promise<T>,
): Promise<T> {
  const directory = make(root);
  try {
    await lay(directory, filesFor(directory));
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Makes the directory where a reboot removes it; for another root, inside that root, where zypp looks for the locks. */
function make(root: string): string {
  const parent = root === "/" ? "/run/svc-upgrade" : `${root}/var/lib/svc-upgrade`;
  if (root !== "/") refuseForeign(root);
  try {
    return inDirectory(parent, { root, missing: "make" }, ({ at }) => join(parent, basename(mkdtempSync(join(at, "zypper-")))));
  } catch (thrown) {
    throw thrown instanceof Fault ? thrown : notWritten(parent, thrown);
  }
}

async function lay(directory: string, files: CallFiles): Promise<void> {
  try {
    for (const [name, text] of Object.entries(files)) {
      const path = join(directory, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text, { mode: 0o600 });
    }
  } catch (thrown) {
    throw notWritten(directory, thrown);
  }
}

function notWritten(directory: string, cause: unknown): Fault {
  return new Fault("file-failed", {
    message: `what zypper has to be told could not be written below ${directory}`,
    hint: "start the pass with `systemctl start svc-upgrade.service`, which makes its directory",
    cause,
  });
}
