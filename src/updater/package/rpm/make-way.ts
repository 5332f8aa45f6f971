import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import type { Planned } from "../manager/manager.ts";
import { actWhenFree } from "./act-when-free.ts";
import type { RpmCalls } from "./calls.ts";
import { rpmFault } from "./failure.ts";
import type { InstalledRow } from "./installed.ts";
import { mayBeSeveral } from "./may-be-several.ts";
import { compareRpmVersions } from "./order.ts";
import { packageVersionOf } from "./version.ts";

/**
 * Strikes out of several instances what an installation would stumble over: dnf does not go to the lower from the higher, and
 * beside an older instance settings that nobody has touched are taken for edited ones. Where the one that was written last is
 * installed once more it gets by without, and the traces of the cut are there until it is done.
 */
export async function makeWay(calls: RpmCalls, { name, version }: Pick<Planned, "name" | "version">): Promise<void> {
  if (mayBeSeveral(name)) return;
  const versions = (await calls.rows(name)).map(packageVersionOf);
  const last = versions.at(-1);
  const isOnward = last === version && !versions.some((other) => isHigher(other, last));
  if (!isOnward) await strikeOut(calls, name);
}

/**
 * Leaves the instance that was written last alone. rpm writes a version down when all its files are in place, and strikes the one
 * before out after that, file by file: of two, it is the one written first whose files are overwritten or gone. Without scripts:
 * those of one transaction must not run in the middle of another.
 *
 * What is there twice in the very same version stays so until it is installed once more: rpm has no name for one of the two.
 */
export async function strikeOut(calls: RpmCalls, name: string): Promise<void> {
  const instances = (await calls.rows(name)).map((row) => instanceOf(name, row));
  const last = instances.at(-1);
  for (const instance of new Set(instances)) {
    if (instance === last) continue;
    const typed = `-e --allmatches --noscripts --nodeps ${instance}`;
    const { status, output } = await actWhenFree(calls, typed.split(" "), typed);
    if (status !== 0) throw notStruck(instance, output, typed);
  }
}

function isHigher(version: PackageVersion | undefined, than: PackageVersion | undefined): boolean {
  return version !== undefined && than !== undefined && compareRpmVersions(version, than) > 0;
}

/** Without the epoch, which not every rpm takes here. */
function instanceOf(name: string, { version, release, architecture }: InstalledRow): string {
  return `${name}-${version}-${release}.${architecture}`;
}

function notStruck(instance: string, output: string, typed: string): Fault {
  return new Fault("database-broken", {
    message: `${instance} is left of a transaction that did not finish, and could not be removed: ${quote(output, 200)}`,
    hint: `try it by hand: \`rpm ${typed}\``,
    cause: rpmFault(output, typed),
  });
}
