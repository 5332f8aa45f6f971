import type { PackageName } from "../../../../rules/settings/settings.ts";
import { controlArgv, installedSizeArgv, simulateArgv } from "../argv.ts";
import type { AptCalls } from "../calls.ts";
import type { Need } from "../../manager/examiner.ts";
import type { Change } from "../../manager/manager.ts";
import { parsePlan } from "../plan.ts";
import { belowRoot } from "../../../../machine/files/paths.ts";

export type PlacesOfApt = { readonly root: string; readonly database: string };

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
export function sizesIn(control: string): Sizes {
  const sum = (field: string): number =>
    [...control.matchAll(new RegExp(`^${field}: (\\d+)$`, "gm"))].reduce((total, match) => total + Number(match[1]), 0);
  return { download: sum("Size"), unpacked: sum("Installed-Size") * 1024 };
}
