import type { PackageName } from "../../../rules/settings/settings.ts";
import { readConfiguration } from "../rpm/read-configuration.ts";
import type { CallFiles } from "./call-directory.ts";
import { configurationFile } from "./configuration.ts";
import { isHeldBy, withoutHolds } from "./locks.ts";
import { belowRoot } from "../../../machine/files/paths.ts";

/** Whether an admin holds the package as a whole; `lifted`: by locks that do not hold that other one too. */
export function isHeld(root: string, name: PackageName, lifted?: PackageName): boolean {
  const locks = locksOf(root);
  return isHeldBy(lifted === undefined ? locks : withoutHolds(locks, lifted), name);
}

/**
 * Shows one call the host's locks without those that hold the package. The hold itself is never taken away, so there is nothing
 * to be put back, whatever becomes of the call.
 */
export function unheldFiles(root: string, name: PackageName, directory: string): CallFiles {
  return { locks: withoutHolds(locksOf(root), name), ...configurationFile(`${directory}/locks`) };
}

/** Before the first lock there is no file. */
function locksOf(root: string): string {
  return readConfiguration(belowRoot(root, "/etc/zypp/locks")) ?? "";
}
