import { compareRpmVersions } from "../rpm/order.ts";
import { isOwnArchitecture, packageVersionOf } from "../rpm/version.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";

export type Offer = { readonly version: PackageVersion; readonly repository: string };

/** Reads `dnf repoquery` in our format. Drops other packages, which dnf lists if they provide the name. */
export function parseOffers(output: string, name: PackageName): readonly Offer[] {
  return output.split("\n").flatMap((line) => {
    const [found, epoch = "", version = "", release = "", architecture = "", repository = ""] = line.split("|");
    if (found !== name || !isOwnArchitecture(architecture)) return [];
    const packageVersion = packageVersionOf({ epoch, version, release });
    return packageVersion === undefined ? [] : [{ version: packageVersion, repository }];
  });
}

/** A repository's own `priority`; a lower one is preferred. */
export type PriorityOf = (repository: string) => number;

/** In dnf's own order: the preferred repository first, then the higher version. */
export function orderOffers(offers: readonly Offer[], priorityOf: PriorityOf): readonly PackageVersion[] {
  const ordered = offers.toSorted(
    (left, right) =>
      priorityOf(left.repository) - priorityOf(right.repository) || compareRpmVersions(right.version, left.version),
  );
  return [...new Set(ordered.map(({ version }) => version))];
}
