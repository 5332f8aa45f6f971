import { asFault } from "../../rules/fault/explain.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { Paths } from "../../machine/files/paths.ts";
import type { Change, PackageManager, Planned } from "../package/manager/manager.ts";
import { changeTo } from "../pass/change.ts";
import { companionsIn, plannedTwice } from "../pass/companions.ts";
import type { ActingSide, WantedFile } from "../pass/ports.ts";
import { movedSince, tellMoved } from "../plan/companion.ts";
import type { Build } from "../../rules/decide/gate-facts.ts";
import type { InstalledPackage } from "../plan/host-facts.ts";
import { longestWhyNotKept, mostInLedger, type Ledger } from "../record/ledger.ts";
import { companionNames, type Companion, type KeptCompanion, type KeptSet } from "../record/ledger.ts";
import type { KeptPackage } from "../record/state.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import { checkFile, checkSet, filesIn, keepOnly, prepareKept } from "../store/kept-packages.ts";
import { readLedger, writeLedger } from "../store/ledger-file.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import { companionsToInstall, filesOf, isPassing, keepAgain, keepInstalled, keepOffered } from "./kept-sets.ts";
import { counted, permit, settled, type Gates, type Permitted } from "./permit-change.ts";

/** The acts on packages. The other acts are on the agent's unit, and waiting. */
export type PackageActs = Omit<ActingSide, "awaitTransaction" | "watchUnit"> &
  RepositoryAnswers & {
    /** Counts one more act for the open move that no gate has judged. */
    readonly countUngated: () => "counted" | "no move is open";
  };

/** What the package manager says about its repositories. Root uses the same routes and caches as an installation. */
export type RepositoryAnswers = {
  readonly offers: () => Promise<readonly PackageVersion[]>;
  readonly buildOf: (version: PackageVersion) => Promise<Build>;
};

export type Hands = {
  readonly settings: Settings;
  readonly manager: () => Promise<PackageManager>;
  readonly paths: Paths;
  readonly pass: string;
  readonly gates: Gates;
  /** Stores the settings of a beginning move, so that the move can be ended even if root's own cannot be read. */
  readonly noteSettings: () => void;
};

/** Acts in this process. A request names only a version: this side finds out everything else, and judges every first change. */
export function actHere({ settings, manager, paths, pass, gates, noteSettings }: Hands): PackageActs {
  const name = settings.agent.package;
  let planned: { readonly change: Change; readonly packages: readonly Planned[] } | undefined;

  async function planFor(change: Change): Promise<readonly Planned[]> {
    if (planned !== undefined && isSame(planned.change, change)) return planned.packages;
    const packages = await (await manager()).simulate(change);
    planned = { change, packages };
    return packages;
  }

  async function lookAt(to: PackageVersion): Promise<{ readonly change: Change; readonly installed: InstalledPackage }> {
    const installed = await (await manager()).inspect(name);
    return { change: changeTo(to, installed, { settings, beside: companionNames(readLedger(paths)) }), installed };
  }

  async function companionsFor(change: Change): Promise<readonly Companion[]> {
    return companionsIn(await planFor(change), name, await manager());
  }

  /** Writes the ledger before anything changes. */
  function begin({ is, ledger }: Permitted, companions: readonly Companion[]): void {
    if (is === "new") noteSettings();
    const { move } = ledger;
    writeLedger(paths, is === "new" && move !== undefined ? { ...ledger, move: { ...move, companions } } : ledger);
  }

  function setOf(version: PackageVersion, ledger: Ledger): KeptSet {
    const set = ledger.kept.find(({ packageVersion }) => packageVersion === version);
    const found = set === undefined ? undefined : checkSet(paths.keptPackages, set);
    if (set !== undefined && found?.kind === "whole") return set;
    throw new Fault("file-failed", {
      message: `the kept package of ${version} is of no use: ${found?.kind === "unusable" ? found.why : "it was not kept"}`,
      hint: `look at \`sudo ls -l ${paths.keptPackages}\``,
    });
  }

  async function keep({ version, is, to }: WantedFile): Promise<KeptPackage> {
    prepareKept(paths);
    const ledger = readLedger(paths);
    const { change, installed } = await lookAt(to);
    // Keeps a version only with the packages that belong to it, never with those of the other version.
    if (version !== (is === "offered" ? to : installed.packageVersion)) throw keptOtherwise(version, to);
    const twice = plannedTwice(await planFor(change));
    if (is === "installed" && twice !== undefined) throw keptOnce(twice);
    const along = await companionsFor(change);
    const keeping = { name, paths, ledger, manager: await manager() };
    const isRepair = is === "offered" && version === installed.packageVersion;
    const kept = isRepair
      ? await keepAgain(version, along, keeping)
      : await (is === "installed" ? keepInstalled : keepOffered)(version, along, keeping);
    const isInstalled = (other: KeptSet): boolean => other.packageVersion === installed.packageVersion;
    const others = ledger.kept.filter(({ packageVersion }) => packageVersion !== version);
    const all = [kept, ...others.filter(isInstalled), ...others.filter((other) => !isInstalled(other))].slice(0, mostInLedger);
    writeLedger(paths, { ...ledger, kept: all, notKept: is === "installed" ? undefined : ledger.notKept });
    keepOnly(paths, filesIn(all));
    const { companions: _along, ...itself } = kept;
    return itself;
  }

  /** Stores the reason for `whyNotKept`. */
  function noteNotKept(packageVersion: PackageVersion, why: string): void {
    const ledger = readLedger(paths);
    writeLedger(paths, { ...ledger, notKept: { packageVersion, why: why.slice(0, longestWhyNotKept) } });
  }

  return {
    refresh: async () => {
      planned = undefined;
      await (await manager()).refresh(name);
    },
    offers: async () => (await manager()).offers(name),
    buildOf: async (version) => (await manager()).buildOf(name, version),
    simulate: async (to) => {
      planned = undefined;
      await planFor((await lookAt(to)).change);
    },
    bring: async (to) => {
      const { change } = await lookAt(to);
      const packages = await planFor(change);
      await (await manager()).bring(change, packages);
    },
    keep: async (wanted) => {
      try {
        return await keep(wanted);
      } catch (thrown) {
        const fault = asFault(thrown);
        if (wanted.is === "installed" && !isPassing(fault)) noteNotKept(wanted.version, fault.message);
        throw thrown;
      }
    },
    keepOnly: async (versions) => {
      const ledger = readLedger(paths);
      const kept = ledger.kept.filter(({ packageVersion }) => versions.includes(packageVersion));
      writeLedger(paths, { ...ledger, kept });
      keepOnly(paths, filesIn(kept));
    },
    install: async ({ to, from, why }) => {
      const { installFiles, install } = await manager();
      const ledger = readLedger(paths);
      const { change, installed } = await lookAt(to);
      const set = from === "kept" ? setOf(to, ledger) : undefined;
      const permitted = await permit({ pass, why, change }, { ledger, installed }, gates);
      const isNew = permitted.is === "new";
      if (set === undefined) {
        // Plans again if the last plan was for another change, or if there was no plan yet.
        const packages = await planFor(change);
        const companions = await companionsFor(change);
        begin(permitted, companions);
        return install(change, packages);
      }
      const found = await (await manager()).inspectAll(set.companions.map((one) => one.name));
      // A repair goes from a version to itself, so it is no rollback.
      const isUndoing = !isNew && to === ledger.move?.from && to !== ledger.move.to;
      if (isNew && why === "rollback") refuseMoved(set, found);
      const companions = [
        ...companionsToInstall(set, found),
        ...(isUndoing ? await leftHalfWay(ledger, await manager(), paths) : []),
      ];
      begin(permitted, set.companions.map(asMoved));
      return installFiles(change, filesOf({ ...set, companions }, { name, directory: paths.keptPackages }));
    },
    holdAgain: async () => {
      if (readLedger(paths).move?.hold === "lifted") await (await manager()).holdAgain(name);
    },
    mend: async () => {
      const ledger = readLedger(paths);
      if (ledger.move !== undefined) await (await manager()).mend([name, ...companionNames(ledger)]);
    },
    countUngated: () => {
      const ledger = readLedger(paths);
      if (ledger.move === undefined) return "no move is open";
      writeLedger(paths, counted(ledger, gates.now()));
      return "counted";
    },
    settle: async () => {
      const ledger = readLedger(paths);
      const installed = ledger.move === undefined ? undefined : await (await manager()).inspect(name);
      writeLedger(paths, settled(ledger, installed));
    },
  };
}

function isSame(one: Change, other: Change): boolean {
  return one.to === other.to && one.direction === other.direction && one.hold === other.hold;
}

/** Finds half-installed packages that the move added. A rollback leaves such a package, but half-installed it would block every later plan. */
async function leftHalfWay(
  { move, kept }: Ledger,
  { inspectAll }: PackageManager,
  { keptPackages }: Pick<Paths, "keptPackages">,
): Promise<readonly KeptCompanion[]> {
  const brought = kept.find(({ packageVersion }) => packageVersion === move?.to)?.companions ?? [];
  const added = brought.filter(({ instead }) => instead === undefined);
  const found = await inspectAll(added.map(({ name }) => name));
  return added.filter((one, at) => {
    const isHalfWay = found[at]?.condition === "half-way";
    return isHalfWay && checkFile(keptPackages, one).kind === "whole";
  });
}

function keptOtherwise(version: PackageVersion, to: PackageVersion): Fault {
  return new Fault("overtaken", {
    message: `${version} cannot be kept for a move to ${to}: it is neither what that leaves nor what it brings`,
    hint: "nothing to do: the next pass looks again",
  });
}

function keptOnce(name: string): Fault {
  return new Fault("plan-refused", {
    message: `${name} moves along for more than one architecture, and is kept for one alone`,
    hint: "remove the architectures that are not needed, or set keep_previous: prefer",
  });
}

function asMoved({ name, instead, packageVersion }: KeptCompanion): Companion {
  return { name, from: instead, to: packageVersion };
}

/** Refuses a companion that somebody has moved since, because we do not know what it needs now. */
function refuseMoved(set: KeptSet, installed: readonly InstalledPackage[]): void {
  const moved = movedSince(set.companions, installed);
  if (moved === undefined) return;
  const { name, instead, packageVersion } = moved.companion;
  throw new Fault("plan-refused", {
    message: `nothing was taken back: ${tellMoved(moved)}`,
    hint: `install ${name} ${instead ?? packageVersion} once more, then type it again; or go back by hand`,
  });
}
