import type { PackageName } from "../../../../rules/settings/settings.ts";
import type { RpmDatabase } from "../../rpm/installed.ts";
import type { Need } from "../../manager/examiner.ts";
import type { Change } from "../../manager/manager.ts";
import { exactly, simulateArgs, sizesArgs } from "../argv.ts";
import type { YumCalls } from "../calls.ts";
import { listsBelow } from "../lists.ts";
import { parsePlan } from "../plan.ts";
import { belowRoot } from "../../../../machine/files/paths.ts";
import { databaseBytes, installedBytes } from "../../rpm/installed-bytes.ts";

export type AskingYum = RpmDatabase & Pick<YumCalls, "ask">;

/** The room for a transaction: downloads in dnf's cache, new files beside old ones, and rpm's database. */
export async function needs(asking: AskingYum, name: PackageName, change: Change | undefined): Promise<readonly Need[]> {
  const { root } = asking;
  const { download, unpacked } = change === undefined ? await asInstalled(asking, name) : await planned(asking, change);
  return [
    { path: listsBelow(root), bytes: download },
    // The places of the files are known only after unpacking. Most of a package goes to /usr.
    { path: belowRoot(root, "/usr"), bytes: unpacked },
    { path: belowRoot(root, "/var/lib"), bytes: databaseBytes },
  ];
}

type Sizes = { readonly download: number; readonly unpacked: number };

/** The sizes of all planned packages. dnf plans only for root, so other users get the size of the package alone. */
async function planned({ ask }: AskingYum, change: Change): Promise<Sizes> {
  const plan = parsePlan((await ask(simulateArgs(change))).output);
  const others = (plan?.changed ?? []).map(({ name }) => name).filter((name) => name !== change.name);
  return sizesIn((await ask(sizesArgs([exactly(change), ...others]))).stdout);
}

async function asInstalled(asking: AskingYum, name: PackageName): Promise<Sizes> {
  const unpacked = await installedBytes(asking, name);
  return { download: unpacked, unpacked };
}

/** Adds the sizes up. A package that several repositories list counts once. */
export function sizesIn(output: string): Sizes {
  const rows = [...new Set(output.split("\n"))].flatMap((line) => {
    const [, download, unpacked] = /^[^|]+\|(\d+)\|(\d+)$/.exec(line) ?? [];
    return download === undefined ? [] : [{ download: Number(download), unpacked: Number(unpacked) }];
  });
  const sum = (key: keyof Sizes): number => rows.reduce((total, row) => total + row[key], 0);
  return { download: sum("download"), unpacked: sum("unpacked") };
}
