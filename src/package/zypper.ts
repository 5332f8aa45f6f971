import { usualPatience, type Patience } from "./patience.ts";
import { existsSync } from "node:fs";
import { Fault } from "../fault/fault.ts";
import type { RunCommand } from "../host/command.ts";
import type { InstalledPackage } from "../plan/facts.ts";
import type { PackageName } from "../settings/settings.ts";
import type { PackageManager } from "./manager.ts";
import { rpmCalls } from "./rpm/calls.ts";
import { runInTrusted } from "./rpm/run-in-trusted.ts";
import { fetchFile } from "./rpm/fetch.ts";
import { inspectRpm } from "./rpm/installed.ts";
import { rpmLockHolder } from "./rpm/lock.ts";
import { mend } from "./rpm/mend.ts";
import { objectionToBack } from "./rpm/objection-to-back.ts";
import { actThroughZypper, type ZypperActEffects } from "./zypper/act.ts";
import { askZypper } from "./zypper/ask.ts";
import { askBuild } from "./zypper/build.ts";
import { cacheBelow } from "./zypper/cache.ts";
import { bring } from "./zypper/bring.ts";
import type { ZypperCalls } from "./zypper/calls.ts";
import { downloadByZypper } from "./zypper/download.ts";
import { installFilesUnderLocks } from "./zypper/install-files.ts";
import { install } from "./zypper/install.ts";
import { askOffered, offersOf } from "./zypper/offers.ts";
import { refresh } from "./zypper/refresh.ts";
import { enabledRepositories, fetchedAliases } from "./zypper/repositories.ts";
import { plannedBy } from "./zypper/simulate.ts";
import { isHeld } from "./zypper/unheld.ts";

/** What zypper works with: how it is run, and where; by the proxies the repositories are reached, as everything else is. */
export type ZypperEffects = ZypperActEffects & { readonly run: RunCommand };

export function zypperManager(given: ZypperEffects): PackageManager {
  const { root } = given;
  const effects = { ...given, run: runInTrusted(given.run, root) };
  const calls = zypperCalls(effects);
  const { rpm } = calls;
  return {
    name: "zypper",
    inspect: calls.inspect,
    inspectAll: (names) => inspectAll(effects, names),
    refresh: (name) => refresh(calls, name),
    offers: async (name) => offersOf(await askOffered(calls, name)),
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
    // Its locks are left alone: a call that passes one is shown a list without it.
    holdAgain: () => Promise.resolve(),
    mend: (names) => mend(rpm, names),
  };
}

/** Each try of zypper's is a whole one, from the lists to the plan. */
const patience: Patience = { ...usualPatience, everyMs: 10_000 };

function zypperCalls(effects: ZypperEffects): ZypperCalls {
  const { root } = effects;
  return {
    ask: askZypper(effects),
    ...actThroughZypper(effects),
    rpm: rpmCalls(effects),
    inspect: async (name) => (await inspectAll(effects, [name]))[0] ?? { kind: "absent" },
    repositories: () => enabledRepositories(root),
    rpmHolder: () => rpmLockHolder(root),
    fetched: () => fetchedAliases(root, enabledRepositories(root)),
    patience,
  };
}

async function inspectAll({ run, root }: ZypperEffects, names: readonly PackageName[]): Promise<readonly InstalledPackage[]> {
  // rpm alone may be on any host, and says nothing of who calls it.
  if (!existsSync(program)) throw notInstalled();
  return inspectRpm({ run, root }, names, (name) => isHeld(root, name));
}

const program = "/usr/bin/zypper";

function notInstalled(): Fault {
  return new Fault("host-unsupported", {
    message: "zypper is not installed",
    hint: "set `manager:` to the package manager that installs the agent on this host",
  });
}
