import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import type { Planned } from "../manager/manager.ts";
import { actWhenFree } from "./act-when-free.ts";
import type { RpmCalls } from "./calls.ts";
import { rpmFault } from "./failure.ts";
import { type InstalledRow, mayBeSeveral } from "./installed.ts";
import { compareRpmVersions } from "./order.ts";
import { packageVersionOf } from "./version.ts";

/**
 * Removes instances that would make an installation fail: dnf does not downgrade from a higher version, and beside an older instance it takes
 * untouched settings for edited ones. Keeps the last written instance if that is the wanted one: it can be reinstalled, and until then the other
 * instance shows that a transaction was cut off.
 */
export async function makeWay(calls: RpmCalls, { name, version }: Pick<Planned, "name" | "version">): Promise<void> {
  if (mayBeSeveral(name)) return;
  const versions = (await calls.rows(name)).map(packageVersionOf);
  const last = versions.at(-1);
  const isOnward = last === version && !versions.some((other) => isHigher(other, last));
  if (!isOnward) await strikeOut(calls, name);
}

/**
 * Keeps only the instance that was written last. rpm records a version once all its files are in place, and then removes the older one's, file by
 * file: so of two, the one written first has lost files. Runs no scripts, because a transaction's scripts must not run inside another. Two instances
 * of the same version stay until it is reinstalled, because rpm cannot name only one of them.
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

/** An instance's name without its epoch, which some versions of rpm refuse here. */
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
