import type { PackageName } from "../../../../rules/settings/settings.ts";
import { controlArgv, installedSizeArgv, simulateArgv } from "../argv.ts";
import type { AptCalls } from "../calls.ts";
import type { Need } from "../../manager/examiner.ts";
import type { Change } from "../../manager/manager.ts";
import { parsePlan } from "../plan.ts";
import { belowRoot } from "../../../../machine/files/paths.ts";

export type PlacesOfApt = { readonly root: string; readonly database: string };

/** dpkg writes its whole list of packages again beside the old one, and apt's caches grow with it. */
const databaseBytes: number = 32 * 1024 * 1024;

/** What a transaction takes: downloads in apt's cache, files beside those that they replace, and dpkg's own. */
export async function needs(calls: Pick<AptCalls, "ask">, about: PlacesOfApt & Sized): Promise<readonly Need[]> {
  const { root, database, change } = about;
  const { download, unpacked } = change === undefined ? await asInstalled(calls, about) : await planned(calls, change);
  return [
    { path: belowRoot(root, "/var/cache/apt/archives"), bytes: download },
    // Which of its files go elsewhere is not known before it is unpacked; the most of every package is here.
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

/** The next version is about as large; packed it is smaller by an amount that nobody knows. */
async function asInstalled({ ask }: Pick<AptCalls, "ask">, { name, database }: PlacesOfApt & Sized): Promise<Sizes> {
  const { stdout } = await ask(installedSizeArgv(name, database));
  const unpacked = Number(/^\d+/.exec(stdout)?.[0] ?? 0) * 1024;
  return { download: unpacked, unpacked };
}

/** Of all paragraphs that `apt-cache show` prints. */
export function sizesIn(control: string): Sizes {
  const sum = (field: string): number =>
    [...control.matchAll(new RegExp(`^${field}: (\\d+)$`, "gm"))].reduce((total, match) => total + Number(match[1]), 0);
  return { download: sum("Size"), unpacked: sum("Installed-Size") * 1024 };
}
