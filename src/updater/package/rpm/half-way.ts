import type { PackageName } from "../../../rules/settings/settings.ts";
import { parsePackageVersion, type PackageVersion } from "../../../rules/version/wrapped.ts";
import type { Change, PackageManager, Planned } from "../manager/manager.ts";
import type { RpmCalls } from "./calls.ts";
import { mayBeSeveral } from "./installed.ts";
import { packageVersionOf } from "./version.ts";

/** A package named in a call besides the agent's. */
export type NamedPackage = { readonly name: PackageName; readonly version: PackageVersion };

type Asking = Pick<RpmCalls, "rows">;

/** For a repair: companions that the database has more than once, and the version to install again. */
export async function halfWay(calls: Asking & Pick<PackageManager, "offers">, change: Change): Promise<readonly NamedPackage[]> {
  const found: NamedPackage[] = [];
  for (const { name, versions } of await severalAmong(calls, change)) {
    const version = versions.includes(change.to) ? change.to : lastOffered(versions, await calls.offers(name));
    if (version !== undefined) found.push({ name, version });
  }
  return found;
}

/**
 * Companions in the plan that the database has more than once. Call it before any instance is removed, because the database shows none afterwards.
 */
export async function halfWayIn(planned: readonly Planned[], calls: Asking, change: Change): Promise<readonly NamedPackage[]> {
  return (await severalAmong(calls, change)).flatMap(({ name }) => {
    const version = parsePackageVersion(planned.find((one) => one.name === name)?.version ?? "");
    return version === undefined ? [] : [{ name, version }];
  });
}

type Several = { readonly name: PackageName; readonly versions: readonly PackageVersion[] };

async function severalAmong({ rows }: Asking, { direction, beside }: Change): Promise<readonly Several[]> {
  const found: Several[] = [];
  for (const name of direction === "same" ? beside : []) {
    const versions = (await rows(name)).flatMap((row) => packageVersionOf(row) ?? []);
    if (versions.length > 1 && !mayBeSeveral(name)) found.push({ name, versions });
  }
  return found;
}

/** The last written version that is still offered; if no version is offered, the last written one. */
function lastOffered(versions: readonly PackageVersion[], offered: readonly PackageVersion[]): PackageVersion | undefined {
  return versions.findLast((version) => offered.includes(version)) ?? versions.at(-1);
}

export function asPlanned({ name, version }: NamedPackage): Planned {
  return { name, version, architecture: undefined };
}
