import type { LookingHalf, WorkingHalf } from "../manager/load-when-working.ts";
import { usualPatience, type Patience } from "../call/patience.ts";
import { rpmCalls } from "../rpm/calls.ts";
import { fetchFile } from "../rpm/fetch.ts";
import { rpmLockHolder } from "../rpm/lock.ts";
import { mend } from "../rpm/mend.ts";
import { objectionToBack } from "../rpm/objection-to-back.ts";
import type { ManagerEffects } from "../manager/effects.ts";
import { actThroughZypper } from "./act.ts";
import { askZypper } from "./ask.ts";
import { bring } from "./bring.ts";
import { askBuild } from "./offered-build.ts";
import { cacheBelow } from "./cache.ts";
import type { ZypperCalls } from "./calls.ts";
import { downloadByZypper } from "./download.ts";
import { installFilesUnderLocks } from "./install-files.ts";
import { install } from "./install.ts";
import { askOffered, offersOf } from "./offers.ts";
import { refresh } from "./refresh.ts";
import { enabledRepositories, fetchedAliases, sourcesBelow } from "./repositories.ts";
import { plannedBy } from "./simulate.ts";

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
