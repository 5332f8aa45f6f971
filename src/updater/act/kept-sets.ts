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

/** Where files are kept, and where those that are not there yet come from. */
export type Keeping = {
  readonly name: PackageName;
  readonly paths: Pick<Paths, "keptPackages">;
  readonly ledger: Ledger;
  readonly manager: PackageManager;
};

/** Of a version that may be put in place: its file, and those of all that the plan takes along. */
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

/** Of the version that is there and is repaired: what moved along as it came stays with it. */
export async function keepAgain(version: PackageVersion, companions: readonly Companion[], keeping: Keeping): Promise<KeptSet> {
  const set = await keepOffered(version, companions, keeping);
  const before = keeping.ledger.kept.find(({ packageVersion }) => packageVersion === version)?.companions ?? [];
  const isNew = ({ name }: KeptCompanion): boolean => set.companions.every((one) => one.name !== name);
  // What is at the other side of the move that brought it is known from then.
  const again = set.companions.map((one) => {
    const { instead } = before.find(({ name }) => name === one.name) ?? one;
    return { ...one, instead };
  });
  return { ...set, companions: [...again, ...before.filter(isNew)].slice(0, mostCompanions) };
}

/**
 * Of the version that is installed: its file, and those of all that the plan exchanges. What of these cannot be had stays as the move
 * brings it. Where the package manager has something against the rollback by what is there, nothing is kept: it would be a promise.
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

/** What would keep anything from being kept, and says nothing of this. */
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

/** A file that lies there already, as it was put there, is not fetched again. */
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
 * The companions of a set whose files are needed, by what is there now: what is half-way, gone, or at the other side of the move. What
 * somebody has brought elsewhere since is left alone, and so is what is in its place.
 */
export function companionsToInstall({ companions }: KeptSet, found: readonly InstalledPackage[]): readonly KeptCompanion[] {
  return companions.filter((one, at) => {
    const there = found[at];
    if (there?.kind !== "present" || there.condition === "half-way") return true;
    return there.packageVersion !== one.packageVersion && there.packageVersion === one.instead;
  });
}
