import { Fault } from "../fault/fault.ts";
import type { Paths } from "../host/paths.ts";
import type { Change, PackageManager, Planned } from "../package/manager.ts";
import { changeTo, packageVersionOf } from "../pass/change.ts";
import type { Acting } from "../pass/ports.ts";
import type { Build, InstalledPackage } from "../plan/facts.ts";
import { mostInLedger, type Ledger } from "../record/ledger.ts";
import type { KeptPackage } from "../record/state.ts";
import type { Settings } from "../settings/settings.ts";
import { adoptPackage, checkKept, keepOnly, prepareKept } from "../store/kept-packages.ts";
import { readLedger, writeLedger } from "../store/ledger-file.ts";
import type { PackageVersion } from "../version/wrapped.ts";
import { counted, permit, settled, type Gates } from "./permit.ts";

/** What is done to packages; the rest of acting is the agent's unit, and waiting. */
export type PackageActs = Omit<Acting, "awaitTransaction" | "watchUnit"> &
  RepositoryAnswers & {
    /** Something else is about to be done for the open move, which no gate has judged either. */
    readonly countUngated: () => "counted" | "no move is open";
  };

/** What the package manager says of its repositories: to root the same as when it installs, whatever routes and caches it has. */
export type RepositoryAnswers = {
  readonly offers: () => Promise<readonly PackageVersion[]>;
  readonly buildOf: (version: PackageVersion) => Promise<Build>;
};

export type Hands = {
  readonly settings: Settings;
  readonly manager: () => Promise<PackageManager>;
  readonly paths: Paths;
  /** The pass that is acted for. */
  readonly pass: string;
  readonly gates: Gates;
  /** Writes the settings down that a move begins with, for whoever has to end it while root's own cannot be read. */
  readonly noteSettings: () => void;
};

/** Acts in this process. What is asked for is a version; what it takes is found out here, and every first change is judged here. */
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
    return { change: changeTo(to, installed, settings), installed };
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
    keep: async ({ version, is }) => {
      prepareKept(paths);
      const file = await (await manager()).fetch({ name, version, is }, paths.keptPackages);
      const kept = adoptPackage(paths.keptPackages, file, version);
      const ledger = readLedger(paths);
      const { installed } = await lookAt(version);
      const isInstalled = (other: KeptPackage): boolean => other.packageVersion === packageVersionOf(installed);
      const others = ledger.kept.filter(({ packageVersion }) => packageVersion !== version);
      const all = [kept, ...others.filter(isInstalled), ...others.filter((other) => !isInstalled(other))].slice(0, mostInLedger);
      writeLedger(paths, { ...ledger, kept: all });
      keepOnly(paths, all);
      return kept;
    },
    keepOnly: async (versions) => {
      const ledger = readLedger(paths);
      const kept = ledger.kept.filter(({ packageVersion }) => versions.includes(packageVersion));
      writeLedger(paths, { ...ledger, kept });
      keepOnly(paths, kept);
    },
    install: async ({ to, from, why }) => {
      const { installFile, install } = await manager();
      const ledger = readLedger(paths);
      const { change, installed } = await lookAt(to);
      const file = from === "kept" ? fileOf(to, { ledger, directory: paths.keptPackages }) : undefined;
      const permitted = await permit({ pass, why, change }, { ledger, installed }, gates);
      // What has passed the gates is planned once more where that was done for something else, or by nobody.
      if (file === undefined) await planFor(change);
      if (permitted.is === "new") noteSettings();
      writeLedger(paths, permitted.ledger);
      return file === undefined ? install(change) : installFile(change, file);
    },
    holdAgain: async () => {
      if (readLedger(paths).move?.hold === "lifted") await (await manager()).holdAgain(name);
    },
    mend: async () => {
      if (readLedger(paths).move !== undefined) await (await manager()).mend(name);
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

type WhereKept = { readonly ledger: Ledger; readonly directory: string };

/** What is installed is what was looked at: nobody but root can write there. */
function fileOf(version: PackageVersion, { ledger, directory }: WhereKept): string {
  const kept = ledger.kept.find(({ packageVersion }) => packageVersion === version);
  const found = kept === undefined ? undefined : checkKept(directory, kept);
  if (found?.kind === "whole") return found.path;
  throw new Fault("file-failed", {
    message: `the kept package of ${version} is of no use: ${found === undefined ? "nobody kept it" : found.why}`,
    hint: `look at ls -l ${directory}`,
  });
}
