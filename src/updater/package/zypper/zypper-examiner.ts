import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import { lookUpCommand, unholdCommand } from "../manager/by-hand.ts";
import type { ExaminerEffects, PackageExaminer, Need, IsActive, Rival } from "../manager/examiner.ts";
import { runInTrusted } from "../rpm/run-in-trusted.ts";
import { auditRpm, databaseBytes, installedBytes, newestIndex } from "../rpm/examine.ts";
import { rpmLockHolder } from "../rpm/lock.ts";
import { askZypper } from "./ask.ts";
import { cacheBelow, enabledRepositories, fetchedAliases } from "./repositories.ts";
import { namesBelow } from "../../../machine/files/names-in.ts";
import { pidLockHolderAmong } from "../../../machine/processes/lock-holder.ts";
import type { Change } from "../manager/manager.ts";
import type { RpmDatabase } from "../rpm/installed.ts";
import { simulateArgs } from "./argv.ts";
import type { ZypperCalls } from "./calls.ts";
import { belowRoot } from "../../../machine/files/paths.ts";
import { readConfiguration } from "../rpm/read-configuration.ts";
import { isHeld } from "./unheld.ts";

export function zypperExaminer({ run: runAnywhere, root, isActive }: ExaminerEffects): PackageExaminer {
  const run = runInTrusted(runAnywhere, root);
  const caches = cacheBelow(root);
  // A question fetches nothing, so it needs no route.
  const asking = {
    run,
    root,
    ask: askZypper({ run, root, proxies: {} }),
    fetched: () => fetchedAliases(root, enabledRepositories(root)),
  };
  return {
    name: "zypper",
    lockHolder: () => pidLockHolderAmong(root, ["/run/zypp.pid"]) ?? rpmLockHolder(root),
    audit: () => auditRpm({ run, root }),
    listsAskedAt: () => newestIndex(`${caches}/raw`),
    isCached: (name, version) => isCached(`${caches}/packages`, name, version),
    needs: (name, change) => needs(asking, name, change),
    rivals: (name) => rivals(name, isActive),
    remedies: {
      unhold: (name) => unholdCommand({ name: "zypper", root }, name),
      refresh: "sudo zypper refresh",
      // `zypper install` would do nothing if one of the two versions is the wanted one.
      mend: "sudo svc-upgrade run --now",
      tidy: "sudo zypper clean --all",
      keepTime: "sudo zypper install chrony",
      lookUp: (name) => lookUpCommand({ name: "zypper", root }, name),
    },
  };
}

/** Whether the package's file is in the cache. Only some repositories keep packages. The file's name has no epoch. */
function isCached(packages: string, name: PackageName, version: PackageVersion): boolean {
  const start = `${name}-${version.replace(/^\d+:/, "")}.`;
  return namesBelow(packages).some((path) => path.slice(path.lastIndexOf("/") + 1).startsWith(start) && path.endsWith(".rpm"));
}

type AskingZypper = RpmDatabase & Pick<ZypperCalls, "ask" | "fetched">;

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

/** The administrator's file comes first, because it wins over the distribution's. */
const osUpdateFiles: readonly string[] = ["/etc/os-update.conf", "/usr/etc/os-update.conf"];

/** Finds SUSE's programs that upgrade packages by themselves. A lock stops them, and `holds: override` lets us ignore it. */
export async function rivals(name: PackageName, isActive: IsActive, root: string = "/"): Promise<readonly Rival[]> {
  if (isHeld(root, name)) return [];
  const moving = [
    ...((await isActive("transactional-update.timer")) ? ["transactional-update"] : []),
    ...((await isActive("os-update.timer")) && movesPackages(osUpdateConfiguration(root)) ? ["os-update"] : []),
  ];
  return moving.map((program) => ({
    told: `${program} moves ${name} too, whatever the window says`,
    fix: `sudo zypper addlock ${name} && echo 'holds: override' | sudo tee /etc/svc-upgrade/60-holds.yaml`,
  }));
}

/** With security only, os-update installs patches, not every newer version. */
export function movesPackages(configuration: string): boolean {
  return !/^UPDATE_CMD=["']?security\b/m.test(configuration);
}

function osUpdateConfiguration(root: string): string {
  return osUpdateFiles.map((path) => readConfiguration(belowRoot(root, path))).find((text) => text !== undefined) ?? "";
}
