import type { PackageName } from "../../../../rules/settings/settings.ts";
import type { Need } from "../../manager/examiner.ts";
import type { Change } from "../../manager/manager.ts";
import type { RpmDatabase } from "../../rpm/installed.ts";
import { simulateArgs } from "../argv.ts";
import { cacheBelow } from "../cache.ts";
import type { ZypperCalls } from "../calls.ts";
import { belowRoot } from "../../../../machine/files/paths.ts";
import { databaseBytes, installedBytes } from "../../rpm/installed-bytes.ts";

export type AskingZypper = RpmDatabase & Pick<ZypperCalls, "ask" | "fetched">;

/** The space that a transaction needs: for downloads and their temporary files, new files beside old ones, and rpm's database. */
export async function needs(asking: AskingZypper, name: PackageName, change: Change | undefined): Promise<readonly Need[]> {
  const { root } = asking;
  const installed = await installedBytes(asking, name);
  const { download, more } = (change === undefined ? undefined : await planned(asking, change)) ?? {
    download: installed,
    more: 0,
  };
  return [
    { path: "/var/tmp", bytes: download },
    { path: cacheBelow(root), bytes: download },
    // The places of the files are known only after unpacking. Most of a package goes to /usr.
    { path: belowRoot(root, "/usr"), bytes: installed + more },
    { path: belowRoot(root, "/var/lib"), bytes: databaseBytes },
  ];
}

/** Undefined for other users than root, because zypper plans only for root. */
async function planned({ ask, fetched }: AskingZypper, { name, to, direction }: Change): Promise<Sizes | undefined> {
  return sizesIn((await ask(simulateArgs({ name, to, mode: direction, aliases: fetched(), along: [] }))).stdout);
}

type Sizes = { readonly download: number; readonly more: number };

/** Reads `Overall download size: 331.1 KiB. Already cached: 0 B. After the operation, additional 1.0 MiB will be used.` */
export function sizesIn(output: string): Sizes | undefined {
  const download = bytesBehind("^Overall download size:", output);
  return download === undefined ? undefined : { download, more: bytesBehind("After the operation, additional", output) ?? 0 };
}

function bytesBehind(words: string, output: string): number | undefined {
  const [, number, unit = ""] = new RegExp(`${words}\\s+([\\d.]+) ([KMGT]iB|B)\\b`, "m").exec(output) ?? [];
  return number === undefined ? undefined : Math.ceil(Number(number) * 1024 ** "BKMGT".indexOf(unit.charAt(0)));
}
