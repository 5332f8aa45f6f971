import { databaseBelow } from "./database.ts";
import { statSync } from "node:fs";
import { askApt } from "./ask.ts";
import { auditArgv, controlArgv, installedSizeArgv, simulateArgv } from "./argv.ts";
import { auditFrom, isInterrupted } from "./examine/audit.ts";
import { rivals } from "./examine/rivals.ts";
import { aptLocks } from "./locks.ts";
import { lookUpCommand, unholdCommand } from "../manager/by-hand.ts";
import type { ExaminerEffects, PackageExaminer, Need } from "../manager/examiner.ts";
import { namesIn } from "../../../machine/files/names-in.ts";
import { lockHolderAmong } from "../../../machine/processes/lock-holder.ts";
import { belowRoot } from "../../../machine/files/paths.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { AptCalls } from "./calls.ts";
import type { Change } from "../manager/manager.ts";
import { parsePlan } from "./plan.ts";

export function aptExaminer({ run, root, isActive }: ExaminerEffects): PackageExaminer {
  const database = databaseBelow(root);
  const calls = { ask: askApt(run, root) };
  return {
    name: "apt",
    lockHolder: () => lockHolderAmong(root, aptLocks),
    audit: async () => [
      ...(isInterrupted(database) ? ["a run of dpkg was interrupted"] : []),
      ...auditFrom(await calls.ask(auditArgv(database))),
    ],
    listsAskedAt: () => listsAskedAt(belowRoot(root, "/var/lib/apt/lists")),
    isCached: (name, version) =>
      isCached(belowRoot(root, "/var/cache/apt/archives"), `${name}_${version.replaceAll(":", "%3a")}_`),
    needs: (name, change) => needs(calls, { root, database, name, change }),
    rivals: (name) => rivals({ ...calls, root, isActive }, name),
    remedies: {
      unhold: (name) => unholdCommand({ name: "apt", root }, name),
      refresh: "sudo apt-get update",
      mend: "sudo dpkg --configure -a && sudo apt-get -f install",
      tidy: "sudo apt-get clean",
      keepTime: "sudo apt-get install systemd-timesyncd",
      lookUp: (name) => lookUpCommand({ name: "apt", root }, name),
    },
  };
}

/**
 * When the lists were last refreshed. apt sets the owner of this directory at each refresh, and changes nothing else if the repositories have nothing
 * new. The lists' own times are their servers'.
 */
function listsAskedAt(lists: string): number | undefined {
  const partial = statSync(`${lists}/partial`, { throwIfNoEntry: false });
  const hasLists = namesIn(lists).some((name) => /_(?:InRelease|Release|Packages(?:\.\w+)?)$/.test(name));
  return partial === undefined || !hasLists ? undefined : Math.floor(partial.ctimeMs / 1000);
}

function isCached(archives: string, start: string): boolean {
  return namesIn(archives).some((name) => name.startsWith(start) && name.endsWith(".deb"));
}

type PlacesOfApt = { readonly root: string; readonly database: string };

/** dpkg writes its whole package list again beside the old one, and apt's caches grow. */
const databaseBytes: number = 32 * 1024 * 1024;

/** The space that a transaction needs: for downloads in apt's cache, new files beside old ones, and dpkg's database. */
export async function needs(calls: Pick<AptCalls, "ask">, about: PlacesOfApt & Sized): Promise<readonly Need[]> {
  const { root, database, change } = about;
  const { download, unpacked } = change === undefined ? await asInstalled(calls, about) : await planned(calls, change);
  return [
    { path: belowRoot(root, "/var/cache/apt/archives"), bytes: download },
    // The places of the files are known only after unpacking. Most of a package goes to /usr.
    { path: belowRoot(root, "/usr"), bytes: unpacked },
    { path: database, bytes: databaseBytes },
  ];
}

type Sized = { readonly name: PackageName; readonly change: Change | undefined };
type Sizes = { readonly download: number; readonly unpacked: number };

async function planned({ ask }: Pick<AptCalls, "ask">, change: Change): Promise<Sizes> {
  const { installed } = parsePlan((await ask(simulateArgv(change))).stdout);
  const packages = installed.length > 0 ? installed : [{ name: change.name, version: change.to }];
  return sizesIn((await ask(controlArgv(packages))).stdout);
}

/** Assumes that the next version is as large as the installed one. Its packed size is smaller, but unknown. */
async function asInstalled({ ask }: Pick<AptCalls, "ask">, { name, database }: PlacesOfApt & Sized): Promise<Sizes> {
  const { stdout } = await ask(installedSizeArgv(name, database));
  const unpacked = Number(/^\d+/.exec(stdout)?.[0] ?? 0) * 1024;
  return { download: unpacked, unpacked };
}

/** Adds up all paragraphs of `apt-cache show`. */
function sizesIn(control: string): Sizes {
  const sum = (field: string): number =>
    [...control.matchAll(new RegExp(`^${field}: (\\d+)$`, "gm"))].reduce((total, match) => total + Number(match[1]), 0);
  return { download: sum("Size"), unpacked: sum("Installed-Size") * 1024 };
}
