import type { PackageName } from "../../../settings/settings.ts";
import { ended } from "../../result.ts";
import { rpmEnvironment } from "../../rpm/environment.ts";
import { rpmRoot, type RpmDatabase } from "../../rpm/installed.ts";
import type { Need } from "../../examiner.ts";
import type { Change } from "../../manager.ts";
import { exactly, simulateArgs, sizesArgs } from "../argv.ts";
import type { YumCalls } from "../calls.ts";
import { listsDirectory } from "../lists.ts";
import { parsePlan } from "../plan.ts";

export type Asking = RpmDatabase & Pick<YumCalls, "ask">;

/** rpm's database and dnf's history grow with each transaction, and the lists with each refresh. */
const databaseBytes: number = 32 * 1024 * 1024;
/** rpm takes 10 ms. */
const sizeTimeoutMs = 20_000;

/** What a transaction takes: downloads in dnf's cache, files beside those that they replace, and rpm's own. */
export async function needs(asking: Asking, name: PackageName, change: Change | undefined): Promise<readonly Need[]> {
  const { download, unpacked } = change === undefined ? await asInstalled(asking, name) : await planned(asking, change);
  const below = asking.root === "/" ? "" : asking.root;
  return [
    { path: `${below}${listsDirectory}`, bytes: download },
    // Which of its files go elsewhere is not known before it is unpacked; the most of every package is here.
    { path: `${below}/usr`, bytes: unpacked },
    { path: `${below}/var/lib`, bytes: databaseBytes },
  ];
}

type Sizes = { readonly download: number; readonly unpacked: number };

/** Only root may have dnf plan; for others it is the package alone. */
async function planned({ ask }: Asking, change: Change): Promise<Sizes> {
  const plan = parsePlan((await ask(simulateArgs(change))).output);
  const others = (plan?.changed ?? []).map(({ name }) => name).filter((name) => name !== change.name);
  return sizesIn((await ask(sizesArgs([exactly(change), ...others]))).stdout);
}

/** The next version is about as large; packed it is smaller by an amount that nobody knows. */
async function asInstalled({ run, root }: Asking, name: PackageName): Promise<Sizes> {
  const argv = ["rpm", ...rpmRoot(root), "-q", "--qf", "%{SIZE}\\n", name] as const;
  const { stdout } = ended(await run({ argv, env: rpmEnvironment, timeoutMs: sizeTimeoutMs }), argv[0]);
  const unpacked = Number(/^\d+$/m.exec(stdout)?.[0] ?? 0);
  return { download: unpacked, unpacked };
}

/** A package that several repositories offer is fetched once. */
export function sizesIn(output: string): Sizes {
  const rows = [...new Set(output.split("\n"))].flatMap((line) => {
    const [, download, unpacked] = /^[^|]+\|(\d+)\|(\d+)$/.exec(line) ?? [];
    return download === undefined ? [] : [{ download: Number(download), unpacked: Number(unpacked) }];
  });
  const sum = (key: keyof Sizes): number => rows.reduce((total, row) => total + row[key], 0);
  return { download: sum("download"), unpacked: sum("unpacked") };
}
