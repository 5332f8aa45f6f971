import type { Change, FileOnHost, FileSet } from "../manager/manager.ts";
import type { RpmCalls } from "../rpm/calls.ts";
import { installFiles } from "../rpm/install-files.ts";
import { refusePastLocks } from "../rpm/refuse-past-locks.ts";
import { isHeld } from "./unheld.ts";

type Effects = { readonly rpm: RpmCalls; readonly root: string };

/** Respects zypper's locks, which rpm does not know. Only the agent's own lock may be ignored; no lock is removed. */
export async function installFilesUnderLocks(effects: Effects, change: Change, files: FileSet): Promise<void> {
  const lifted = change.hold === "lifted" ? change.name : undefined;
  const keeps = ({ name }: FileOnHost): boolean => isHeld(effects.root, name, lifted);
  await refusePastLocks(effects.rpm, { change, files }, { keeps, named: "lock", shownBy: "zypper locks" });
  await installFiles(effects.rpm, change, files);
}
