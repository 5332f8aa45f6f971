import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import { lookUpCommand, unholdCommand } from "../manager/by-hand.ts";
import type { ExaminerEffects, PackageExaminer } from "../manager/examiner.ts";
import { runInTrusted } from "../rpm/run-in-trusted.ts";
import { auditRpm } from "../rpm/audit.ts";
import { rpmLockHolder } from "../rpm/lock.ts";
import { askYum } from "./ask.ts";
import { needs } from "./examine/needs.ts";
import { rivals } from "./examine/rivals.ts";
import { listsBelow } from "./lists.ts";
import { namesIn } from "../../../machine/files/names-in.ts";
import { pidLockHolderAmong } from "../../../machine/processes/lock-holder.ts";
import { newestIndex } from "../rpm/newest-index.ts";

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
