import { asFault } from "../../fault/explain.ts";
import { Fault } from "../../fault/fault.ts";
import type { Change } from "../manager.ts";
import { installFile } from "../rpm/install-file.ts";
import { holdAt } from "./hold.ts";
import type { InstallEffects } from "./install.ts";
import { holdsOf, lockEntry } from "./locks.ts";

/** As dnf would with the locks: rpm itself knows none. */
export async function installFileUnderLocks(effects: InstallEffects, change: Change, file: string): Promise<void> {
  const { name, to, hold } = change;
  const holds = holdsOf(effects.locks(), name);
  if (hold === "none" && holds.length > 0 && !holds.includes(lockEntry(name, to))) throw held(effects, change);
  const failure = await installFile(effects.rpm, change, file).then(() => undefined, asFault);
  if (hold === "lifted") await holdAt(effects, name, failure);
  if (failure !== undefined) throw failure;
}

function held({ calls }: InstallEffects, { name, to }: Change): Fault {
  return new Fault("plan-refused", {
    message: `installing ${name} ${to} from its file would go past the version lock of ${name}`,
    hint: `see it with \`${calls.program} versionlock list\``,
  });
}
