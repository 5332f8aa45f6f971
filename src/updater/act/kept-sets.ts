import { asFault } from "../../rules/fault/explain.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { Paths } from "../../machine/files/paths.ts";
import type { FileOnHost, FileSet, PackageManager, WantedFile } from "../package/manager/manager.ts";
import type { InstalledPackage } from "../plan/host-facts.ts";
import { mostCompanions, type Companion, type KeptCompanion, type KeptSet, type Ledger } from "../record/ledger.ts";
import type { KeptPackage } from "../record/state.ts";
import type { PackageName } from "../../rules/settings/settings.ts";
import { adoptPackage, checkFile } from "../store/kept-packages.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";

/** Where files are kept, and where missing ones come from. */
export type Keeping = {
  readonly name: PackageName;
  readonly paths: Pick<Paths, "keptPackages">;
  readonly ledger: Ledger;
  readonly manager: PackageManager;
};

/** Keeps a version that may be installed: its file, and those of all packages in the plan. */
export async function keepOffered(version: PackageVersion, companions: readonly Companion[], keeping: Keeping): Promise<KeptSet> {
  const planned = companions.map(({ name, to }) => ({ name, version: to, architecture: undefined }));
  const beside = [{ name: keeping.name, version, architecture: undefined }, ...planned];
  const kept = await keptFile({ name: keeping.name, version, is: "offered", beside }, keeping);
  const along: KeptCompanion[] = [];
  for (const { name, from, to } of companions) {
    along.push({ ...(await keptFile({ name, version: to, is: "offered", beside }, keeping)), name, instead: from });
  }
  return { ...kept, companions: along };
}

/** Keeps the installed version for a repair, with the packages that moved along when it came. */
export async function keepAgain(version: PackageVersion, companions: readonly Companion[], keeping: Keeping): Promise<KeptSet> {
  const set = await keepOffered(version, companions, keeping);
  const before = keeping.ledger.kept.find(({ packageVersion }) => packageVersion === version)?.companions ?? [];
  const isNew = ({ name }: KeptCompanion): boolean => set.companions.every((one) => one.name !== name);
  // Takes their versions at the other side of that move from the earlier set.
  const again = set.companions.map((one) => {
    const { instead } = before.find(({ name }) => name === one.name) ?? one;
    return { ...one, instead };
  });
  return { ...set, companions: [...again, ...before.filter(isNew)].slice(0, mostCompanions) };
}

/**
 * Keeps the installed version: its file, and those of all packages that the plan replaces. If a package's file cannot be had, a rollback leaves that
 * package at its new version. Keeps nothing if the package manager objects to that rollback, because it would not work.
 */
export async function keepInstalled(
  version: PackageVersion,
  companions: readonly Companion[],
  keeping: Keeping,
): Promise<KeptSet> {
  const kept = await keptFile({ name: keeping.name, version, is: "installed" }, keeping);
  const along: KeptCompanion[] = [];
  const missing: string[] = [];
  for (const { name, from, to } of companions) {
    if (from === undefined || from === to) continue;
    try {
      along.push({ ...(await keptFile({ name, version: from, is: "installed" }, keeping)), name, instead: to });
    } catch (thrown) {
      const fault = asFault(thrown);
      if (isPassing(fault)) throw fault;
      missing.push(fault.message);
    }
  }
  const set = { ...kept, companions: along };
  if (companions.length === 0) return set;
  const objection = await objectionTo(set, companions, keeping);
  if (objection === undefined) return set;
  const why = missing.length === 0 ? objection : `${missing.join("; ")}; and without: ${objection}`;
  throw new Fault("plan-refused", {
    message: `${keeping.name} ${version} could not be put back after it: ${why}`,
    hint: "offer the packages that move along in a repository once more, or set keep_previous: prefer",
  });
}

/** Whether the fault would stop the keeping of any version, and so says nothing about this one. */
export function isPassing({ code }: Fault): boolean {
  return ["manager-busy", "busy", "bug", "interrupted", "stopping", "overtaken", "no-space"].includes(code);
}

async function objectionTo(set: KeptSet, companions: readonly Companion[], keeping: Keeping): Promise<string | undefined> {
  const { name, ledger, paths, manager } = keeping;
  const isOfMove = (one: KeptSet): boolean =>
    companions.every((companion) =>
      one.companions.some((kept) => kept.name === companion.name && kept.packageVersion === companion.to),
    );
  const next = ledger.kept.find(isOfMove);
  if (next === undefined) throw new Error("what the move brings is kept before what it leaves");
  const directory = paths.keptPackages;
  return manager.objectionToBack({ after: filesOf(next, { name, directory }), before: filesOf(set, { name, directory }) });
}

/** Keeps a file. A file that is kept and unchanged is not fetched again. */
async function keptFile(wanted: WantedFile, { name, paths, ledger, manager }: Keeping): Promise<KeptPackage> {
  const directory = paths.keptPackages;
  for (const set of ledger.kept) {
    for (const one of [{ ...set, name }, ...set.companions]) {
      if (one.name !== wanted.name || one.packageVersion !== wanted.version) continue;
      if (checkFile(directory, one).kind !== "whole") continue;
      const { packageVersion, file, sha256, bytes } = one;
      return { packageVersion, file, sha256, bytes };
    }
  }
  return adoptPackage(directory, await manager.fetch(wanted, directory), wanted.version);
}

export type WhereKept = { readonly name: PackageName; readonly directory: string };

export function filesOf(set: KeptSet, { name, directory }: WhereKept): FileSet {
  const onHost = (of: PackageName, { packageVersion: version, file }: KeptPackage): FileOnHost => ({
    name: of,
    version,
    path: `${directory}/${file}`,
  });
  return [onHost(name, set), ...set.companions.map((one) => onHost(one.name, one))];
}

/**
 * The companions whose files a move needs: half-installed, missing, or at the other version of the move. Leaves out a companion that somebody moved
 * to a third version.
 */
export function companionsToInstall({ companions }: KeptSet, found: readonly InstalledPackage[]): readonly KeptCompanion[] {
  return companions.filter((one, at) => {
    const there = found[at];
    if (there?.kind !== "present" || there.condition === "half-way") return true;
    return there.packageVersion !== one.packageVersion && there.packageVersion === one.instead;
  });
}
