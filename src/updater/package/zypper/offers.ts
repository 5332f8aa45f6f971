import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import { parsePackageVersion } from "../../../rules/version/wrapped.ts";
import { isOwnArchitecture } from "../rpm/version.ts";
import { versionsArgs } from "./argv.ts";
import type { ZypperCalls } from "./calls.ts";
import { zypperFault } from "./failure.ts";
import { isShownAs, type ZypperRepository } from "./repositories.ts";
import { isOffered, parseFound, type FoundPackage } from "./search.ts";

/** The output is valid. 6: no repository is enabled. 104: nothing found. 106: zypper left out a repository. */
const answered: readonly number[] = [0, 6, 104, 106];

/** The package in the enabled repositories, for this machine. */
export async function askOffered(
  { ask, fetched }: Pick<ZypperCalls, "ask" | "fetched">,
  name: PackageName,
): Promise<readonly FoundPackage[]> {
  const ended = await ask(versionsArgs(name, fetched()));
  if (!answered.includes(ended.status)) throw zypperFault(ended, `search ${name}`);
  return parseFound(ended.stdout).filter((row) => row.name === name && isOwnArchitecture(row.architecture) && isOffered(row));
}

/**
 * The offered versions in zypper's own order, without locked ones. If the installed version is locked, the package is held, and all
 * versions count as offered.
 */
export function offersOf(found: readonly FoundPackage[]): readonly PackageVersion[] {
  const isHeld = found.some(({ isInstalled, isLocked }) => isInstalled && isLocked);
  const offered = isHeld ? found : found.filter(({ isLocked }) => !isLocked);
  return [...new Set(offered.flatMap(({ version }) => parsePackageVersion(version) ?? []))];
}

/** The aliases of repositories that offer the package in any version. */
export function offering(found: readonly FoundPackage[], repositories: readonly ZypperRepository[]): readonly string[] {
  const shown = new Set(found.map(({ repository }) => repository));
  return repositories.filter((repository) => [...shown].some((name) => isShownAs(repository, name))).map(({ alias }) => alias);
}
