import type { InstalledPackage } from "../../plan/host-facts.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import { inspectRpm, type RpmDatabase } from "../rpm/installed.ts";
import { isHeld } from "./unheld.ts";

/** The installed versions of the packages, and whether a zypper lock holds each. */
export function inspectZypper(database: RpmDatabase, names: readonly PackageName[]): Promise<readonly InstalledPackage[]> {
  return inspectRpm(database, names, (name) => isHeld(database.root, name));
}
