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
  // apt drops the hold as it changes the package; on a failure it may or may not have come that far.
  if (change.hold === "lifted") await putHoldBack(calls, change.name, failure);
  if (
    failure !== undefined &&
    !(await isDoneDespite(failure, calls, { files: [{ name: change.name, version: change.to }], before }))
  )
    throw failure;
}

/** To name what goes along would tell apt that an admin has asked for it: by its files dpkg installs it as it is marked. */
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
 * What is unpacked and not configured apt does not install once more: it plans to, downloads the file, and then ends with "Internal
 * Error, No file name for". To configure it would leave its files as they are, one that makes its script fail among them.
 */
async function isBeyondApt({ ask, root }: AptCalls, { name, direction }: Change): Promise<boolean> {
  return direction === "same" && awaitsConfiguration(await ask(inspectArgv(name, databaseBelow(root))));
}
