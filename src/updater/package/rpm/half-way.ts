import type { PackageName } from "../../../rules/settings/settings.ts";
import { parsePackageVersion, type PackageVersion } from "../../../rules/version/wrapped.ts";
import type { Change, PackageManager, Planned } from "../manager/manager.ts";
import type { RpmCalls } from "./calls.ts";
import { mayBeSeveral } from "./may-be-several.ts";
import { packageVersionOf } from "./version.ts";

/** What is named in a call besides the agent's package. */
export type NamedPackage = { readonly name: PackageName; readonly version: PackageVersion };

type Asking = Pick<RpmCalls, "rows">;

/** In a repair, what is in the database more than once of what moved along, and the version in which it is installed once more. */
export async function halfWay(calls: Asking & Pick<PackageManager, "offers">, change: Change): Promise<readonly NamedPackage[]> {
  const found: NamedPackage[] = [];
  for (const { name, versions } of await severalAmong(calls, change)) {
    const version = versions.includes(change.to) ? change.to : lastOffered(versions, await calls.offers(name));
    if (version !== undefined) found.push({ name, version });
  }
  return found;
}

/** The same out of a plan; asked before anything makes way, as the database no longer tells after that. */
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

/** The one that was written last; where that cannot be had, another one that can. */
function lastOffered(versions: readonly PackageVersion[], offered: readonly PackageVersion[]): PackageVersion | undefined {
  return versions.findLast((version) => offered.includes(version)) ?? versions.at(-1);
}

/** As a plan has it. */
export function asPlanned({ name, version }: NamedPackage): Planned {
  return { name, version, architecture: undefined };
}
