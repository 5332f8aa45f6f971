import { Fault } from "../../fault/fault.ts";
import { quote } from "../../fault/quote.ts";
import type { PackageVersion } from "../../version/wrapped.ts";
import type { InstalledRow } from "../rpm/installed.ts";
import { compareRpmVersions } from "../rpm/order.ts";
import { packageVersionOf } from "../rpm/version.ts";
import type { Change } from "../manager.ts";
import type { YumCalls } from "./calls.ts";

/**
 * A power cut leaves two instances of a package in rpm's database. An installation of a third version, or once more of the higher,
 * puts itself in the place of both; but to the lower one dnf does not go back from the higher. So that is taken away first, without
 * scripts, since those of the transaction that was cut off must not run for it; what it overwrote is then installed again.
 */
export async function mend(calls: YumCalls, change: Change, rows: readonly InstalledRow[]): Promise<void> {
  if (!rows.some((row) => packageVersionOf(row) === change.to)) return;
  const higher = rows.filter((row) => isHigher(packageVersionOf(row), change.to)).map((row) => instanceOf(change.name, row));
  for (const instance of new Set(higher)) {
    const { status, output } = await calls.erase(instance);
    if (status !== 0) throw notMended(instance, output);
  }
}

function isHigher(version: PackageVersion | undefined, than: PackageVersion): boolean {
  return version !== undefined && compareRpmVersions(version, than) > 0;
}

function instanceOf(name: string, { version, release, architecture }: InstalledRow): string {
  return `${name}-${version}-${release}.${architecture}`;
}

function notMended(instance: string, output: string): Fault {
  return new Fault("database-broken", {
    message: `${instance} is left of a transaction that was cut off, and could not be removed: ${quote(output.trim(), 200)}`,
    hint: `try it by hand: \`rpm -e --allmatches --noscripts ${instance}\``,
  });
}
