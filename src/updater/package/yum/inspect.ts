import type { InstalledPackage } from "../../plan/host-facts.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import { inspectRpm, type RpmDatabase } from "../rpm/installed.ts";
import { holdsOf, readLocks } from "./locks.ts";

/** The installed versions of the packages, and whether a version lock holds each. */
export function inspectYum(database: RpmDatabase, names: readonly PackageName[]): Promise<readonly InstalledPackage[]> {
  return inspectRpm(database, names, (name) => holdsOf(readLocks(database.root), name).length > 0);
}
