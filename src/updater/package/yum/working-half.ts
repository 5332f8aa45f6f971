import type { WorkingHalf } from "../manager/load-when-working.ts";
import { usualPatience } from "../call/patience.ts";
import { rpmCalls } from "../rpm/calls.ts";
import { fetchFile } from "../rpm/fetch.ts";
import { rpmLockHolder } from "../rpm/lock.ts";
import { mend } from "../rpm/mend.ts";
import { objectionToBack } from "../rpm/objection-to-back.ts";
import type { ManagerEffects } from "../manager/effects.ts";
import { actYum } from "./act.ts";
import { askOffers } from "./ask-offers.ts";
import { askYum } from "./ask.ts";
import { bring } from "./bring.ts";
import { askBuild } from "./offered-build.ts";
import type { YumCalls } from "./calls.ts";
import { downloadByYum } from "./download.ts";
import { holdAt } from "./hold.ts";
import { installFilesUnderLocks } from "./install-files.ts";
import { install, type InstallEffects } from "./install.ts";
import { listsBelow } from "./lists.ts";
import { isAdmitted, readLocks } from "./locks.ts";
import { orderOffers } from "./offers.ts";
import { refresh } from "./refresh.ts";
import { readPriorities, readSources } from "./repository-files.ts";
import { simulate } from "./simulate.ts";

export function yumWork(effects: ManagerEffects): WorkingHalf {
  const { run, root } = effects;
  const waiting = { ...usualPatience, rpmLockHolder: () => rpmLockHolder(root) };
  const rpm = rpmCalls(effects);
  const installing = (): InstallEffects => ({ calls: yumCalls(effects), rpm, waiting, locks: () => readLocks(root) });
  const offers: WorkingHalf["offers"] = async (name) => {
    const locks = readLocks(root);
    const found = orderOffers(await askOffers(askYum(run, root), name), readPriorities(root));
    return found.filter((version) => isAdmitted(locks, name, version));
  };
  return {
    refresh: (name) => refresh(yumCalls(effects), name, { waiting, cache: listsBelow(root) }),
    offers,
    sources: () => Promise.resolve(readSources(root)),
    buildOf: (name, to) => askBuild(askYum(run, root), { name, to }),
    simulate: (change) =>
      simulate({ ...askYum(run, root), askRpm: rpm.ask, rows: rpm.rows, offers, locks: () => readLocks(root) }, change),
    bring: (change, planned) => {
      const calls = yumCalls(effects);
      const cache = listsBelow(root);
      const download = downloadByYum({ calls, rpm, waiting, cache });
      return bring({ ask: calls.ask, askRpm: rpm.ask, rows: rpm.rows, download, cache }, change, planned);
    },
    fetch: (wanted, directory) => {
      const download = downloadByYum({ calls: yumCalls(effects), rpm, waiting, cache: listsBelow(root) });
      return fetchFile({ ...rpm, root, download }, wanted, directory);
    },
    install: (change, planned) => install(installing(), change, planned),
    installFiles: (change, files) => installFilesUnderLocks(installing(), change, files),
    objectionToBack: (sets) => objectionToBack({ ...rpm, root }, sets),
    holdAgain: (name) => holdAt(installing(), name, undefined),
    mend: (names) => mend(rpm, names),
  };
}

/** The calls for one step, which ask for the repositories once. */
function yumCalls(effects: ManagerEffects): YumCalls {
  const asking = askYum(effects.run, effects.root);
  return { ...asking, ...actYum(asking, effects) };
}
