import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Change, Planned } from "../manager/manager.ts";
import { refuseMislabelled } from "../failure/refuse-mislabelled.ts";
import type { RpmCalls } from "../rpm/calls.ts";
import type { Download } from "../rpm/fetch.ts";
import { halfWayIn } from "../rpm/half-way.ts";
import { readAnyHeader } from "../rpm/package-files.ts";
import { locationsArgs } from "./argv.ts";
import type { YumCalls } from "./calls.ts";
import { namesIn } from "../../../machine/files/names-in.ts";

export type BringEffects = Pick<YumCalls, "ask"> &
  Pick<RpmCalls, "rows"> & {
    readonly askRpm: RpmCalls["ask"];
    readonly download: Download;
    /** Where dnf keeps lists and packages, with a directory for each repository. */
    readonly cache: string;
  };

/** Fetches the packages and compares each file's own name and version with the list. dnf compares only checksums, and rpm only signatures. */
export async function bring(effects: BringEffects, change: Change, planned: readonly Planned[]): Promise<void> {
  const { ask, askRpm, download, cache } = effects;
  await download({ name: change.name, version: change.to }, "cache");
  for (const one of await halfWayIn(planned, effects, change)) await download(one, "cache");
  const { stdout } = await ask(locationsArgs(planned));
  const paths = stdout.split("\n").flatMap((url) => pathsOf(url, cache));
  const files = await Promise.all(paths.map(async (path) => ({ path, is: await readAnyHeader(askRpm, path) })));
  refuseMislabelled(planned, files);
}

/** Where a package's file may be: for a repository on this host where it is, otherwise in the repository's cache directory. */
function pathsOf(url: string, cache: string): readonly string[] {
  if (url.startsWith("file:")) return [fileURLToPath(encodeURI(url))].filter(isFile);
  const name = url.slice(url.lastIndexOf("/") + 1);
  return namesIn(cache)
    .map((repository) => join(cache, repository, "packages", name))
    .filter(isFile);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
