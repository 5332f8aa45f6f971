import type { PackageName } from "../../../rules/settings/settings.ts";
import { readConfiguration } from "../rpm/read-configuration.ts";
import type { CallFiles } from "./call-directory.ts";
import { configurationFile } from "./configuration.ts";
import { isHeldBy, withoutHolds } from "./locks.ts";
import { belowRoot } from "../../../machine/files/paths.ts";

/** Whether an administrator holds the whole package. `lifted`: ignores locks that also hold that other package. */
export function isHeld(root: string, name: PackageName, lifted?: PackageName): boolean {
  const locks = locksOf(root);
  return isHeldBy(lifted === undefined ? locks : withoutHolds(locks, lifted), name);
}

/**
 * Shows one call the host's locks without those that hold the package. The hold itself stays, so nothing has to be restored, whatever
 * becomes of the call.
 */
export function unheldFiles(root: string, name: PackageName, directory: string): CallFiles {
  return { locks: withoutHolds(locksOf(root), name), ...configurationFile(`${directory}/locks`) };
}

/** Before the first lock the file does not exist. */
function locksOf(root: string): string {
  return readConfiguration(belowRoot(root, "/etc/zypp/locks")) ?? "";
}
