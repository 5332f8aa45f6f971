import { statSync } from "node:fs";
import { join } from "node:path";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import type { RpmCalls } from "./calls.ts";
import { isOwnArchitecture, packageVersionOf } from "./version.ts";
import { namesBelow } from "../../../machine/files/names-in.ts";

/** How many files to look at. An administrator may keep a whole distribution in the cache, but a file that was just fetched is among the latest. */
const mostFiles = 50;

/** The package files below these directories, the latest first. */
export function packageFilesBelow(folders: readonly string[]): readonly string[] {
  const paths = folders.flatMap((folder) => namesBelow(folder).map((name) => join(folder, name)));
  return paths
    .flatMap((path) => {
      const stats = path.endsWith(".rpm") ? statSync(path, { throwIfNoEntry: false }) : undefined;
      return stats?.isFile() === true ? [{ path, at: stats.ctimeMs }] : [];
    })
    .toSorted((left, right) => right.at - left.at)
    .slice(0, mostFiles)
    .map(({ path }) => path);
}

export type Header = { readonly name: string; readonly version: PackageVersion; readonly architecture: string };

/** Undefined if the file is no package, is damaged, or is for another machine. */
export async function readHeader(ask: RpmCalls["ask"], path: string): Promise<Header | undefined> {
  const header = await readAnyHeader(ask, path);
  return header !== undefined && isOwnArchitecture(header.architecture) ? header : undefined;
}

/** Reads a header of any architecture, because this machine may run a second one. */
export async function readAnyHeader(ask: RpmCalls["ask"], path: string): Promise<Header | undefined> {
  const format = "%{NAME}\\t%{EPOCHNUM}\\t%{VERSION}\\t%{RELEASE}\\t%{ARCH}\\n";
  const { status, stdout } = await ask(["-qp", "--nosignature", "--nomanifest", "--qf", format, path]);
  const [, name = "", epoch = "", version = "", release = "", architecture = ""] =
    /^(\S+)\t(\d+)\t(\S+)\t(\S+)\t(\S+)$/m.exec(stdout) ?? [];
  const packageVersion = packageVersionOf({ epoch, version, release });
  if (status !== 0 || packageVersion === undefined) return undefined;
  return { name, version: packageVersion, architecture };
}
