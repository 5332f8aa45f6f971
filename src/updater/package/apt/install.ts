import { databaseBelow, inspectArgv } from "./database.ts";
import { parsePackageName } from "../../../rules/settings/read-text.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import { parsePackageVersion, type PackageVersion } from "../../../rules/version/wrapped.ts";
import type { Change, FileOnHost, FileSet, Planned } from "../manager/manager.ts";
import { installArgv } from "./argv.ts";
import { attempt } from "./attempt.ts";
import type { AptCalls } from "./calls.ts";
import { isDoneDespite, lastUnpacking } from "./done-despite-failure.ts";
import { fetchIntoCache } from "./fetch.ts";
import { putHoldBack } from "./hold.ts";
import { installFiles } from "./install-files.ts";
import { awaitsConfiguration } from "./installed.ts";
import { rehearseNamed } from "./named.ts";

export async function install(calls: AptCalls, change: Change, planned: readonly Planned[]): Promise<void> {
  const isNamed = planned.length > 1 && (await rehearseNamed(calls, change)).named.length > 0;
  if (isNamed || (await isBeyondApt(calls, change)))
    return installFiles(calls, change, await broughtFiles(calls, change, planned));
  const before = lastUnpacking(calls.root, change.name);
  const failure = await attempt(calls, installArgv(change), `install ${change.name}=${change.to}`);
  // Restores the hold: apt drops it when it changes the package, and may have done so before a failure.
  if (change.hold === "lifted") await putHoldBack(calls, change.name, failure);
  if (
    failure !== undefined &&
    !(await isDoneDespite(failure, calls, { files: [{ name: change.name, version: change.to }], before }))
  )
    throw failure;
}

/** The files to install by dpkg. If apt were given the companions' names, it would mark them as wanted by an administrator; dpkg keeps the marks. */
async function broughtFiles(calls: AptCalls, { name, to }: Change, planned: readonly Planned[]): Promise<FileSet> {
  const fetched = async (of: PackageName, version: PackageVersion): Promise<FileOnHost> => ({
    name: of,
    version,
    path: await fetchIntoCache(calls, { name: of, version, beside: planned }),
  });
  const companions: FileOnHost[] = [];
  for (const one of planned) {
    const [other, version] = [parsePackageName(one.name), parsePackageVersion(one.version)];
    if (one.name === name || other === undefined || version === undefined) continue;
    companions.push(await fetched(other, version));
  }
  return [await fetched(name, to), ...companions];
}

/**
 * Whether apt cannot install the package. It cannot reinstall an unpacked but unconfigured package: it downloads the file, and ends with "Internal
 * Error, No file name for". Configuring the package would keep its files, even one that makes its script fail.
 */
async function isBeyondApt({ ask, root }: AptCalls, { name, direction }: Change): Promise<boolean> {
  return direction === "same" && awaitsConfiguration(await ask(inspectArgv(name, databaseBelow(root))));
}
