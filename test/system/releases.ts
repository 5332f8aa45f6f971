import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { packageName } from "../../packaging/about.ts";
import { projectVersion } from "../../packaging/project.ts";
import { formatOf } from "./built-package.ts";
import type { Host } from "./lab/host.ts";
import { packageVersion } from "./lab/package.ts";
import { downgradePackage, installedPackage, installPackage, refreshLists } from "./lab/package-tools.ts";
import type { Repository } from "./lab/repository.ts";
import { newerPackage, newerVersion } from "./newer-package.ts";
import { updaterPackage } from "./updater.ts";

/** "built": the updater that hosts begin with; "newer": the same with a higher version. */
type Release = "built" | "newer";

const versions: Readonly<Record<Release, string>> = { built: projectVersion, newer: newerVersion };

export async function publishReleases(host: Host, repository: Repository): Promise<void> {
  const format = formatOf(host.family);
  const folder = join(host.directory, "newer");
  await mkdir(folder);
  await repository.publish(await updaterPackage(format), await newerPackage[format](folder));
}

/** By the package manager, out of the repository, as an admin types it. */
export async function replaceBy(host: Host, release: Release): Promise<void> {
  await refreshLists(host);
  const change = release === "built" ? downgradePackage : installPackage;
  await change(host, packageName, versions[release]);
}

export async function installedRelease(host: Host): Promise<Release | undefined> {
  const installed = await installedPackage(host, packageName);
  return (["built", "newer"] as const).find((release) => installed === packageVersion(host, versions[release]));
}

const stateFile = "/var/lib/svc-upgrade-decide/state.json";

/** Of the pass that runs, or did not finish. */
export async function stepInHand(host: Host): Promise<string | undefined> {
  const { stdout } = await host.enter(["cat", stateFile]);
  return stdout === "" ? undefined : (JSON.parse(stdout) as { readonly step?: { readonly step: string } }).step?.step;
}

export async function stateOf(host: Host): Promise<unknown> {
  return JSON.parse(await host.read(stateFile));
}

export async function writeState(host: Host, text: string): Promise<void> {
  await host.write(stateFile, text);
}
