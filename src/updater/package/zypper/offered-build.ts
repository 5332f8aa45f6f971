import { join } from "node:path";
import type { Build } from "../../../rules/decide/gate-facts.ts";
import { buildsIn, isPrimaryList, type WantedBuild } from "../rpm/primary-list.ts";
import { cacheBelow } from "./cache.ts";
import { namesIn } from "../../../machine/files/names-in.ts";

const unknown: Build = { sha256: undefined, bytes: undefined };

/** zypper shows neither a file's size nor its checksum; the fetched lists do. */
export async function askBuild(root: string, aliases: readonly string[], wanted: WantedBuild): Promise<Build> {
  // A repository without lists, or with unreadable ones, tells nothing.
  const lists = aliases
    .map((alias) => join(cacheBelow(root), "raw", alias.replaceAll("/", "_"), "repodata"))
    .flatMap((folder) =>
      namesIn(folder)
        .filter(isPrimaryList)
        .map((name) => join(folder, name)),
    );
  const builds = (await Promise.all(lists.map((list) => readable(list, wanted)))).flat();
  const [first = unknown] = builds;
  // Unknown if repositories offer different files of one version, because zypper could install either.
  return builds.every(({ sha256, bytes }) => sha256 === first.sha256 && bytes === first.bytes) ? first : unknown;
}

/** Returns nothing from an unreadable list, so that the other lists still count. */
function readable(list: string, wanted: WantedBuild): Promise<readonly Build[]> {
  return buildsIn(list, wanted).catch(() => []);
}
