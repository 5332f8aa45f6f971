import { queryRpm, readTimeoutMs, unreadableDatabase, type RpmDatabase, mayBeSeveral } from "./installed.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import { statSync } from "node:fs";
import { namesIn } from "../../../machine/files/names-in.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";

/** The packages of which an unfinished transaction left more than one version. */
export async function auditRpm(database: RpmDatabase): Promise<readonly string[]> {
  const { status, stdout, output } = await queryRpm(database, ["-qa", "--qf", "%{NAME}\\t%{ARCH}\\n"], readTimeoutMs);
  if (status !== 0 || /^error: /m.test(output)) throw unreadableDatabase(output);
  return severalIn(stdout).map((name) => `${name} is there more than once`);
}

export function severalIn(listing: string): readonly string[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const line of listing.trim().split("\n")) {
    const [name = ""] = line.split("\t");
    if (seen.has(line) && !mayBeSeveral(name)) twice.add(name);
    seen.add(line);
  }
  return [...twice];
}

/** Enough: rpm's database and the manager's history grow with each transaction, and the lists with each refresh. */
export const databaseBytes: number = 32 * 1024 * 1024;

/** The size of the installed package. The next version is about as large; its packed size is smaller, but unknown. */
export async function installedBytes(database: RpmDatabase, name: PackageName): Promise<number> {
  const { stdout } = await queryRpm(database, ["-q", "--qf", "%{SIZE}\\n", name]);
  return Number(/^\d+$/m.exec(stdout)?.[0] ?? 0);
}

/** Returns when a repository was last asked: dnf and zypp set the time of its index file each time, even if nothing is new. */
export function newestIndex(lists: string): UnixSeconds | undefined {
  const times = namesIn(lists).flatMap((name) => {
    const index = statSync(`${lists}/${name}/repodata/repomd.xml`, { throwIfNoEntry: false });
    return index === undefined ? [] : [Math.floor(index.mtimeMs / 1000)];
  });
  return times.length === 0 ? undefined : Math.max(...times);
}
