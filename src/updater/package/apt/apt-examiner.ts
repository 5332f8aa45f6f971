import { databaseBelow } from "./database.ts";
import { statSync } from "node:fs";
import { askApt } from "./ask.ts";
import { auditArgv } from "./argv.ts";
import { auditFrom, isInterrupted } from "./examine/audit.ts";
import { needs } from "./examine/needs.ts";
import { rivals } from "./examine/rivals.ts";
import { aptLocks } from "./locks.ts";
import { lookUpCommand, unholdCommand } from "../manager/by-hand.ts";
import type { ExaminerEffects, PackageExaminer } from "../manager/examiner.ts";
import { namesIn } from "../../../machine/files/names-in.ts";
import { lockHolderAmong } from "../../../machine/processes/lock-holder.ts";
import { belowRoot } from "../../../machine/files/paths.ts";

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
