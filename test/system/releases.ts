import { stat } from "node:fs/promises";
import { packageName } from "../../packaging/about.ts";
import { projectVersion } from "../../packaging/project.ts";
import { firstReleasePackage, firstVersion } from "../first-release/package.ts";
import { formatOf } from "./built-package.ts";
import { familyOf } from "./lab/base.ts";
import type { Host, HostOptions } from "./lab/host.ts";
import { downgradePackage, installPackage, refreshLists } from "./lab/package-tools.ts";
import type { PreparedOptions } from "./lab/prepared.ts";
import type { Repository } from "./lab/repository.ts";
import { updaterPackage } from "./updater.ts";

export type Release = "first" | "today's";

const versions: Readonly<Record<Release, string>> = { first: firstVersion, "today's": projectVersion };

export function otherRelease(release: Release): Release {
  return release === "first" ? "today's" : "first";
}

/** Hosts that begin with the updater of the first release. */
export function withFirstRelease(options: HostOptions): PreparedOptions {
  const format = formatOf(familyOf(options.suite));
  const prepared = {
    name: "first-release",
    recipe: async () => {
      const path = await firstReleasePackage(format);
      const { size, mtimeMs } = await stat(path);
      return `${path} ${size} ${mtimeMs}`;
    },
    prepare: (host: Host) => replaceByFile(host, "first"),
  };
  return { ...options, prepared };
}

export async function publishReleases(host: Host, repository: Repository): Promise<void> {
  const format = formatOf(host.family);
  await repository.publish(await firstReleasePackage(format), await updaterPackage(format));
}

/** By the package manager, out of the repository, as an admin types it. */
export async function replaceBy(host: Host, release: Release): Promise<void> {
  await refreshLists(host);
  const change = release === "first" ? downgradePackage : installPackage;
  await change(host, packageName, versions[release]);
}

/** By the package database alone: that also works on a host whose manager wants a cut transaction mended first. */
export async function replaceByFile(host: Host, release: Release): Promise<void> {
  const format = formatOf(host.family);
  const path = `/var/tmp/updater-${versions[release]}.${format}`;
  await host.copyIn(await (release === "first" ? firstReleasePackage(format) : updaterPackage(format)), path);
  const tool = format === "deb" ? ["dpkg", "--install"] : ["rpm", "--force-debian", "--oldpackage", "--replacepkgs", "--upgrade"];
  await host.mustRun([...tool, path]);
  await host.mustRun(["rm", path]);
}

export async function installedRelease(host: Host): Promise<Release | undefined> {
  const said = await host.mustRun(["svc-upgrade", "version"]);
  return (["first", "today's"] as const).find((release) => said.includes(` ${versions[release]}`));
}

/** Of the pass that runs, or was cut off. */
export async function stepInHand(host: Host): Promise<string | undefined> {
  const { stdout } = await host.enter(["cat", "/var/lib/svc-upgrade/state.json"]);
  return stdout === "" ? undefined : (JSON.parse(stdout) as { readonly step?: { readonly step: string } }).step?.step;
}
