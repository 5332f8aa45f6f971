import { join } from "node:path";
import type { Build } from "../../../rules/decide/gate-facts.ts";
import { buildsIn, isPrimaryList, type WantedBuild } from "../rpm/primary-list.ts";
import { cacheBelow } from "./cache.ts";
import { namesIn } from "../../../machine/files/names-in.ts";

const unknown: Build = { sha256: undefined, bytes: undefined };

/** zypper itself tells neither a file's size nor its checksum; the lists that it has fetched do. */
export async function askBuild(root: string, aliases: readonly string[], wanted: WantedBuild): Promise<Build> {
  // A repository without such lists, or that this user may not look into, tells nothing.
  const lists = aliases
    .map((alias) => join(cacheBelow(root), "raw", alias.replaceAll("/", "_"), "repodata"))
    .flatMap((folder) =>
      namesIn(folder)
        .filter(isPrimaryList)
        .map((name) => join(folder, name)),
    );
  const builds = (await Promise.all(lists.map((list) => readable(list, wanted)))).flat();
  const [first = unknown] = builds;
  // Repositories that offer different files of one version leave it open which of them would be installed.
  return builds.every(({ sha256, bytes }) => sha256 === first.sha256 && bytes === first.bytes) ? first : unknown;
}

/** A list that cannot be read says nothing of a build, and keeps nothing from happening. */
function readable(list: string, wanted: WantedBuild): Promise<readonly Build[]> {
  return buildsIn(list, wanted).catch(() => []);
}
