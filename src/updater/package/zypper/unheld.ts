import type { PackageName } from "../../../rules/settings/settings.ts";
import { readConfiguration } from "../rpm/read-configuration.ts";
import type { CallFiles } from "./call-directory.ts";
import { configurationFile } from "./configuration.ts";
import { isHeldBy, withoutHolds } from "./locks.ts";
import { belowRoot } from "../../../machine/files/paths.ts";

/** Whether an administrator holds the whole package. Ignores locks that also hold the package `lifted`. */
export function isHeld(root: string, name: PackageName, lifted?: PackageName): boolean {
  const locks = locksOf(root);
  return isHeldBy(lifted === undefined ? locks : withoutHolds(locks, lifted), name);
}

/** Files that show one call the host's locks without those of the package. The host's own file is unchanged, so nothing has to be restored. */
export function unheldFiles(root: string, name: PackageName, directory: string): CallFiles {
  return { locks: withoutHolds(locksOf(root), name), ...configurationFile(`${directory}/locks`) };
}

/** The text of the host's locks. The file does not exist before the first lock. */
function locksOf(root: string): string {
  return readConfiguration(belowRoot(root, "/etc/zypp/locks")) ?? "";
}
