import type { RunCommand } from "../host/command.ts";
import type { ProxyVariables } from "../route/route.ts";
import type { PackageName } from "../settings/settings.ts";
import type { PackageManager } from "./manager.ts";
import { rpmCalls } from "./rpm/calls.ts";
import { runInTrusted } from "./rpm/run-in-trusted.ts";
import { fetchFile } from "./rpm/fetch.ts";
import { inspectRpm } from "./rpm/installed.ts";
import { rpmLockHolder } from "./rpm/lock.ts";
import { mend } from "./rpm/mend.ts";
import { objectionToBack } from "./rpm/objection-to-back.ts";
import type { Transact } from "./transact.ts";
import { actYum } from "./yum/act.ts";
import { askOffers } from "./yum/ask-offers.ts";
import { askYum } from "./yum/ask.ts";
import { askBuild } from "./yum/build.ts";
import { bring } from "./yum/bring.ts";
import type { YumCalls } from "./yum/calls.ts";
import { downloadByYum } from "./yum/download.ts";
import { holdAt } from "./yum/hold.ts";
import { installFilesUnderLocks } from "./yum/install-files.ts";
import { install, type InstallEffects } from "./yum/install.ts";
import { listsBelow } from "./yum/lists.ts";
import { holdsOf, isAdmitted, readLocks } from "./yum/locks.ts";
import { orderOffers } from "./yum/offers.ts";
import { yumProgram } from "./yum/program.ts";
import { refresh } from "./yum/refresh.ts";
import { readPriorities } from "./yum/repository-files.ts";
import { simulate } from "./yum/simulate.ts";
import { usualPatience } from "./patience.ts";

/** What yum works with: how it is run, and where. */
export type YumEffects = {
  readonly run: RunCommand;
  readonly transact: Transact;
  /** "/" for the machine itself; else an absolute path without a slash at its end. */
  readonly root: string;
  /** By them the repositories are reached, as everything else is. */
  readonly proxies: ProxyVariables;
};

/** dnf 4, under whichever of its names. */
export function yumManager(given: YumEffects): PackageManager {
  const { root } = given;
  const run = runInTrusted(given.run, root);
  const effects = { ...given, run };
  const waiting = { ...usualPatience, rpmLockHolder: () => rpmLockHolder(root) };
  const isHeld = (name: PackageName): boolean => holdsOf(readLocks(root), name).length > 0;
  const rpm = rpmCalls(effects);
  const installing = (): InstallEffects => ({ calls: yumCalls(effects), rpm, waiting, locks: () => readLocks(root) });
  const inspectAll: PackageManager["inspectAll"] = async (names) => {
    // rpm alone may be on any host, as a tool.
    yumProgram();
    return inspectRpm({ run, root }, names, isHeld);
  };
  const offers: PackageManager["offers"] = async (name) => {
    const locks = readLocks(root);
    const found = orderOffers(await askOffers(askYum(run, root), name), readPriorities(root));
    return found.filter((version) => isAdmitted(locks, name, version));
  };
  return {
    name: "yum",
    inspect: async (name) => (await inspectAll([name]))[0] ?? { kind: "absent" },
    inspectAll,
    refresh: (name) => refresh(yumCalls(effects), name, { waiting, cache: listsBelow(root) }),
    offers,
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

/** For one step: what the repositories are is asked once in it. */
function yumCalls(effects: YumEffects): YumCalls {
  const asking = askYum(effects.run, effects.root);
  return { ...asking, ...actYum(asking, effects) };
}
