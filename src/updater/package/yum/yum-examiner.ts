import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import { lookUpCommand, unholdCommand } from "../manager/by-hand.ts";
import type { ExaminerEffects, PackageExaminer, Need, IsActive, Rival } from "../manager/examiner.ts";
import { runInTrusted } from "../rpm/run-in-trusted.ts";
import { auditRpm, databaseBytes, installedBytes, newestIndex } from "../rpm/examine.ts";
import { rpmLockHolder } from "../rpm/lock.ts";
import { askYum } from "./ask.ts";
import { listsBelow } from "./lists.ts";
import { namesIn } from "../../../machine/files/names-in.ts";
import { pidLockHolderAmong } from "../../../machine/processes/lock-holder.ts";
import type { RpmDatabase } from "../rpm/installed.ts";
import type { Change } from "../manager/manager.ts";
import { exactly, simulateArgs, sizesArgs } from "./argv.ts";
import type { YumCalls } from "./calls.ts";
import { parsePlan } from "./plan.ts";
import { belowRoot } from "../../../machine/files/paths.ts";
import { readConfiguration } from "../rpm/read-configuration.ts";
import { parseSections } from "./repository-files.ts";

/** dnf's own lock files. */
const dnfLocks: readonly string[] = [
  "/var/cache/dnf/metadata_lock.pid",
  "/var/cache/dnf/download_lock.pid",
  "/var/lib/dnf/rpmdb_lock.pid",
];

export function yumExaminer({ run: runAnywhere, root, isActive }: ExaminerEffects): PackageExaminer {
  const run = runInTrusted(runAnywhere, root);
  const lists = listsBelow(root);
  return {
    name: "yum",
    lockHolder: () => pidLockHolderAmong(root, dnfLocks) ?? rpmLockHolder(root),
    audit: () => auditRpm({ run, root }),
    listsAskedAt: () => newestIndex(lists),
    isCached: (name, version) => isCached(lists, name, version),
    needs: (name, change) => needs({ run, root, ...askYum(run, root) }, name, change),
    rivals: (name) => rivals(name, isActive),
    remedies: {
      unhold: (name) => unholdCommand({ name: "yum", root }, name),
      refresh: "sudo dnf makecache",
      mend: "sudo dnf remove --duplicates",
      tidy: "sudo dnf clean packages",
      keepTime: "sudo dnf install chrony",
      lookUp: (name) => lookUpCommand({ name: "yum", root }, name),
    },
  };
}

/** Whether the package's file is in the cache. The file's name has no epoch. */
function isCached(lists: string, name: PackageName, version: PackageVersion): boolean {
  const start = `${name}-${version.replace(/^\d+:/, "")}.`;
  return namesIn(lists).some((repository) =>
    namesIn(`${lists}/${repository}/packages`).some((file) => file.startsWith(start) && file.endsWith(".rpm")),
  );
}

type AskingYum = RpmDatabase & Pick<YumCalls, "ask">;

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
function sizesIn(output: string): Sizes {
  const rows = [...new Set(output.split("\n"))].flatMap((line) => {
    const [, download, unpacked] = /^[^|]+\|(\d+)\|(\d+)$/.exec(line) ?? [];
    return download === undefined ? [] : [{ download: Number(download), unpacked: Number(unpacked) }];
  });
  const sum = (key: keyof Sizes): number => rows.reduce((total, row) => total + row[key], 0);
  return { download: sum("download"), unpacked: sum("unpacked") };
}

const configuration = "/etc/dnf/automatic.conf";
/** This timer always installs; the other one does what its configuration says. */
const installing = "dnf-automatic-install.timer";
const configured = "dnf-automatic.timer";

/** dnf-automatic upgrades packages by itself, and would move this one. */
export async function rivals(name: PackageName, isActive: IsActive, root: string = "/"): Promise<readonly Rival[]> {
  const text = readConfiguration(belowRoot(root, configuration));
  if (text === undefined) return [];
  const isInstalling = await isActive(installing);
  if (!isInstalling && !(await isActive(configured))) return [];
  if (!movesByItself(text, name, isInstalling ? "always" : "as-configured")) return [];
  return [
    {
      told: `dnf-automatic moves ${name} too, whatever the window says`,
      fix: `sudo sed -i '/^\\[base\\]/a excludepkgs = ${name}' ${configuration}`,
    },
  ];
}

export function movesByItself(text: string, name: PackageName, applies: "always" | "as-configured"): boolean {
  const sections = parseSections(text);
  const commands = sections.get("commands");
  const base = sections.get("base");
  const excluded = `${base?.get("excludepkgs") ?? ""} ${base?.get("exclude") ?? ""}`.split(/[\s,]+/);
  if (excluded.includes(name)) return false;
  return applies === "always" || /^(?:1|yes|true|on)$/i.test(commands?.get("apply_updates") ?? "");
}
