import { asFault } from "../../fault/explain.ts";
import { Fault } from "../../fault/fault.ts";
import type { Change, FileOnHost, FileSet } from "../manager.ts";
import { installFiles } from "../rpm/install-files.ts";
import { packageVersionOf } from "../rpm/version.ts";
import { holdAt } from "./hold.ts";
import type { InstallEffects } from "./install.ts";
import { holdsOf, lockEntry } from "./locks.ts";

/** As dnf would with the locks: rpm itself knows none. Only the agent's own is ever lifted. */
export async function installFilesUnderLocks(effects: InstallEffects, change: Change, files: FileSet): Promise<void> {
  const held = await heldAmong(effects, change, files);
  if (held !== undefined) throw pastLock(effects, change, held);
  const failure = await installFiles(effects.rpm, change, files).then(() => undefined, asFault);
  if (change.hold === "lifted") await holdAt(effects, change.name, failure);
  if (failure !== undefined) throw failure;
}

async function heldAmong(
  { locks, rpm }: InstallEffects,
  { name: agent, hold }: Change,
  files: FileSet,
): Promise<FileOnHost | undefined> {
  const entries = locks();
  for (const file of files) {
    const { name, version } = file;
    const holds = name === agent && hold === "lifted" ? [] : holdsOf(entries, name);
    if (holds.length === 0 || holds.includes(lockEntry(name, version))) continue;
    // What moves along and is there already stays where it is held.
    if (name === agent || !(await rpm.rows(name)).some((row) => packageVersionOf(row) === version)) return file;
  }
  return undefined;
}

function pastLock({ calls }: InstallEffects, { name, to }: Change, held: FileOnHost): Fault {
  return new Fault("plan-refused", {
    message: `installing ${name} ${to} from its file would go past the version lock of ${held.name}`,
    hint: `see it with \`${calls.program} versionlock list\``,
  });
}
