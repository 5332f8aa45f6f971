import type { LookingHalf, WorkingHalf } from "../manager/load-when-working.ts";
import { usualPatience, type Patience } from "../call/patience.ts";
import { rpmCalls, type RpmCalls } from "../rpm/calls.ts";
import { fetchFile } from "../rpm/fetch.ts";
import { rpmLockHolder } from "../rpm/lock.ts";
import { mend } from "../rpm/mend.ts";
import { objectionToBack } from "../rpm/objection-to-back.ts";
import type { ManagerEffects } from "../manager/effects.ts";
import { actThroughZypper } from "./act.ts";
import { askZypper } from "./ask.ts";
import { bring } from "./bring.ts";
import { cacheBelow, enabledRepositories, fetchedAliases, sourcesBelow } from "./repositories.ts";
import type { ZypperCalls } from "./calls.ts";
import { downloadByZypper } from "./download.ts";
import { install } from "./install.ts";
import { askOffered, offersOf, offering } from "./offers.ts";
import { plannedBy } from "./simulate.ts";
import type { Change, FileOnHost, FileSet } from "../manager/manager.ts";
import { installFiles } from "../rpm/install-files.ts";
import { refusePastLocks } from "../rpm/refuse-past-locks.ts";
import { isHeld } from "./unheld.ts";
import { join } from "node:path";
import type { Build } from "../../../rules/decide/gate-facts.ts";
import { buildsIn, isPrimaryList, type WantedBuild } from "../rpm/primary-list.ts";
import { namesIn } from "../../../machine/files/names-in.ts";
import { asFault } from "../../../rules/fault/explain.ts";
import type { Fault } from "../../../rules/fault/fault.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import { refreshArgs } from "./argv.ts";
import { refreshFault } from "./failure.ts";
import type { FoundPackage } from "./search.ts";

export function zypperWork(effects: ManagerEffects, { inspect }: Pick<LookingHalf, "inspect">): WorkingHalf {
  const { root } = effects;
  const calls = zypperCalls(effects, inspect);
  const { rpm } = calls;
  return {
    refresh: (name) => refresh(calls, name),
    offers: async (name) => offersOf(await askOffered(calls, name)),
    sources: () => Promise.resolve(sourcesBelow(root)),
    buildOf: (name, version) => askBuild(root, calls.fetched(), { name, version }),
    simulate: (change) => plannedBy(calls, change),
    bring: (change, planned) => bring({ ...calls, askRpm: rpm.ask }, change, planned),
    fetch: (wanted, directory) => {
      const download = downloadByZypper(calls, `${cacheBelow(root)}/packages`);
      return fetchFile({ ...rpm, root, download }, wanted, directory);
    },
    install: (change, planned) => install(calls, change, planned),
    installFiles: (change, files) => installFilesUnderLocks({ rpm, root }, change, files),
    objectionToBack: (sets) => objectionToBack({ ...rpm, root }, sets),
    // Restores nothing, because a call that ignores a lock gets its own list without it.
    holdAgain: () => Promise.resolve(),
    mend: (names) => mend(rpm, names),
  };
}

/** Waits longer between tries, because each try of zypper reads the lists and plans again. */
const patience: Patience = { ...usualPatience, everyMs: 10_000 };

function zypperCalls(effects: ManagerEffects, inspect: ZypperCalls["inspect"]): ZypperCalls {
  const { root } = effects;
  return {
    ask: askZypper(effects),
    ...actThroughZypper(effects),
    rpm: rpmCalls(effects),
    inspect,
    repositories: () => enabledRepositories(root),
    rpmHolder: () => rpmLockHolder(root),
    fetched: () => fetchedAliases(root, enabledRepositories(root)),
    patience,
  };
}

type Effects = { readonly rpm: RpmCalls; readonly root: string };

/** Respects zypper's locks, which rpm does not know. Only the agent's own lock may be ignored; no lock is removed. */
export async function installFilesUnderLocks(effects: Effects, change: Change, files: FileSet): Promise<void> {
  const lifted = change.hold === "lifted" ? change.name : undefined;
  const keeps = ({ name }: FileOnHost): boolean => isHeld(effects.root, name, lifted);
  await refusePastLocks(effects.rpm, { change, files }, { keeps, named: "lock", shownBy: "zypper locks" });
  await installFiles(effects.rpm, change, files);
}

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

/** Refreshes only the repositories that offer the package, so that another dead one does not matter. */
export async function refresh(calls: ZypperCalls, name: PackageName): Promise<void> {
  const offered = await askOffered(calls, name).catch((thrown: unknown) => askAnew(calls, name, asFault(thrown)));
  const aliases = offering(offered, calls.repositories());
  const what = aliases.length === 0 ? "refresh all package lists" : `refresh ${aliases.join(", ")}`;
  const ended = await calls.download(refreshArgs(aliases), what);
  if (ended.status === 0) return;
  // If no known repository offered the package, a dead one matters only if none offers it now.
  if (aliases.length === 0 && (await askOffered(calls, name)).length > 0) return;
  throw refreshFault(ended);
}

/** Removes a damaged cache and asks again. After a power cut damaged one, zypper fails until it is removed; then it makes a new one. */
async function askAnew(calls: ZypperCalls, name: PackageName, fault: Fault): Promise<readonly FoundPackage[]> {
  const spoilt = spoiltCache(fault.message);
  if (spoilt === undefined) throw fault;
  await calls.removeCaches([spoilt]);
  return askOffered(calls, name);
}

/** The cache directory of one repository, or of the host's own packages. */
function spoiltCache(message: string): string | undefined {
  return /solv-file: (\/\S*\/zypp\/solv\/(?!\.\.?\/)[^\s/]+)\/solv\b/.exec(message)?.[1];
}
