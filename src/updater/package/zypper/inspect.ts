import type { InstalledPackage } from "../../plan/host-facts.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import { inspectRpm, type RpmDatabase } from "../rpm/installed.ts";
import { isHeld } from "./unheld.ts";

/** What is installed of the packages, and whether a lock of zypper's holds it. */
export function inspectZypper(database: RpmDatabase, names: readonly PackageName[]): Promise<readonly InstalledPackage[]> {
  return inspectRpm(database, names, (name) => isHeld(database.root, name));
}
