import type { PackageName } from "../../../settings/settings.ts";
import type { Need } from "../../examiner.ts";
import type { Change } from "../../manager.ts";
import { ended } from "../../result.ts";
import { rpmEnvironment } from "../../rpm/environment.ts";
import { rpmRoot, type RpmDatabase } from "../../rpm/installed.ts";
import { simulateArgs } from "../argv.ts";
import { cacheBelow } from "../cache.ts";
import type { ZypperCalls } from "../calls.ts";

export type Asking = RpmDatabase & Pick<ZypperCalls, "ask" | "fetched">;

/** rpm's database and zypp's history grow with each transaction, and the lists with each refresh. */
const databaseBytes: number = 32 * 1024 * 1024;
/** rpm takes 10 ms. */
const sizeTimeoutMs = 20_000;

/** What a transaction takes: downloads, which come through a place for them, files beside those that they replace, and rpm's own. */
export async function needs(asking: Asking, name: PackageName, change: Change | undefined): Promise<readonly Need[]> {
  const installed = await installedBytes(asking, name);
  // The next version is about as large; packed it is smaller by an amount that nobody knows.
  const { download, more } = (change === undefined ? undefined : await planned(asking, change)) ?? {
    download: installed,
    more: 0,
  };
  const below = asking.root === "/" ? "" : asking.root;
  return [
    { path: "/var/tmp", bytes: download },
    { path: cacheBelow(asking.root), bytes: download },
    // Which of its files go elsewhere is not known before it is unpacked; the most of every package is here.
    { path: `${below}/usr`, bytes: installed + more },
    { path: `${below}/var/lib`, bytes: databaseBytes },
  ];
}

/** Undefined for whoever is not root: zypper makes plans for nobody else. */
async function planned({ ask, fetched }: Asking, { name, to, direction }: Change): Promise<Sizes | undefined> {
  return sizesIn((await ask(simulateArgs({ name, to, mode: direction, aliases: fetched(), along: [] }))).stdout);
}

async function installedBytes({ run, root }: Asking, name: PackageName): Promise<number> {
  const argv = ["rpm", ...rpmRoot(root), "-q", "--qf", "%{SIZE}\\n", name] as const;
  const { stdout } = ended(await run({ argv, env: rpmEnvironment, timeoutMs: sizeTimeoutMs }), argv[0]);
  return Number(/^\d+$/m.exec(stdout)?.[0] ?? 0);
}

type Sizes = { readonly download: number; readonly more: number };

/** `Overall download size: 331.1 KiB. Already cached: 0 B. After the operation, additional 1.0 MiB will be used.` */
export function sizesIn(output: string): Sizes | undefined {
  const download = bytesOf(/^Overall download size: ([\d.]+ \w+)\./m.exec(output)?.[1]);
  if (download === undefined) return undefined;
  return { download, more: bytesOf(/After the operation, additional\s+([\d.]+ \w+)\s+will/.exec(output)?.[1]) ?? 0 };
}

const units: Readonly<Record<string, number>> = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 };

function bytesOf(told: string | undefined): number | undefined {
  const [number = "", unit = ""] = told?.split(" ") ?? [];
  const factor = units[unit];
  return factor === undefined ? undefined : Math.ceil(Number(number) * factor);
}
