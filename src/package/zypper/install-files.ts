import { Fault } from "../../fault/fault.ts";
import type { Change, FileOnHost, FileSet } from "../manager.ts";
import type { RpmCalls } from "../rpm/calls.ts";
import { installFiles } from "../rpm/install-files.ts";
import { packageVersionOf } from "../rpm/version.ts";
import { isHeld } from "./unheld.ts";

type Effects = { readonly rpm: RpmCalls; readonly root: string };

/** As zypper would with the locks: rpm itself knows none. Only those of the agent are ever lifted, and none is taken away. */
export async function installFilesUnderLocks(effects: Effects, change: Change, files: FileSet): Promise<void> {
  const held = await heldAmong(effects, change, files);
  if (held !== undefined) throw pastLock(change, held);
  await installFiles(effects.rpm, change, files);
}

async function heldAmong({ rpm, root }: Effects, { name: agent, hold }: Change, files: FileSet): Promise<FileOnHost | undefined> {
  const lifted = hold === "lifted" ? agent : undefined;
  for (const file of files) {
    if (!isHeld(root, file.name, lifted)) continue;
    // What moves along and is there already stays where it is held.
    if (file.name === agent || !(await rpm.rows(file.name)).some((row) => packageVersionOf(row) === file.version)) return file;
  }
  return undefined;
}

function pastLock({ name, to }: Change, held: FileOnHost): Fault {
  return new Fault("plan-refused", {
    message: `installing ${name} ${to} from its file would go past the lock of ${held.name}`,
    hint: "see it with `zypper locks`",
  });
}
