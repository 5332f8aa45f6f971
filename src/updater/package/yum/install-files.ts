import { asFault } from "../../../rules/fault/explain.ts";
import type { Change, FileSet } from "../manager/manager.ts";
import { installFiles } from "../rpm/install-files.ts";
import { refusePastLocks } from "../rpm/refuse-past-locks.ts";
import { holdAt } from "./hold.ts";
import type { InstallEffects } from "./install.ts";
import { isKeptFrom } from "./locks.ts";

/** Respects the version locks, which rpm does not know. Only the agent's own lock may be ignored. */
export async function installFilesUnderLocks(effects: InstallEffects, change: Change, files: FileSet): Promise<void> {
  const entries = effects.locks();
  const isLifted = (name: string): boolean => name === change.name && change.hold === "lifted";
  const shownBy = `${effects.calls.program} versionlock list`;
  await refusePastLocks(
    effects.rpm,
    { change, files },
    { keeps: (file) => !isLifted(file.name) && isKeptFrom(entries, file), named: "version lock", shownBy },
  );
  const failure = await installFiles(effects.rpm, change, files).then(() => undefined, asFault);
  if (change.hold === "lifted") await holdAt(effects, change.name, failure);
  if (failure !== undefined) throw failure;
}
