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
import { asMeant } from "./moves.ts";
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

/** By the package database alone: that also works on a host whose manager wants a cut transaction repaired first. */
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

const stateFiles: Readonly<Record<Release, string>> = {
  first: "/var/lib/svc-upgrade/state.json",
  "today's": "/var/lib/svc-upgrade-decide/state.json",
};

/** Of the pass that runs, or did not finish. */
export async function stepInHand(host: Host, release: Release): Promise<string | undefined> {
  const { stdout } = await host.enter(["cat", stateFiles[release]]);
  return stdout === "" ? undefined : (JSON.parse(stdout) as { readonly step?: { readonly step: string } }).step?.step;
}

export type StateFile = {
  readonly [key: string]: unknown;
  readonly passes: readonly { readonly [key: string]: unknown; readonly id: string }[];
};

/** What passes left, in the file of that release; else of the one that is on the host. */
export async function stateOf(host: Host, release?: Release): Promise<StateFile> {
  return asMeant(await host.read(stateFiles[release ?? (await must(host))])) as StateFile;
}

export async function lastPassOf(host: Host, release?: Release): Promise<unknown> {
  return (await stateOf(host, release)).passes[0];
}

/** In its own place, and for today's where its acting unit leaves it for earlier releases as well. */
export async function writeState(host: Host, text: string): Promise<void> {
  const release = await must(host);
  await host.write(stateFiles[release], text);
  if (release === "first") return;
  await host.write(stateFiles.first, text);
  await host.mustRun(["rm", "-f", "/var/lib/svc-upgrade/ledger.json"]);
}

async function must(host: Host): Promise<Release> {
  const release = await installedRelease(host);
  if (release === undefined) throw new Error("the release on the host is neither");
  return release;
}
