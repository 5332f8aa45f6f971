import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import { lookUpCommand, unholdCommand } from "../manager/by-hand.ts";
import type { ExaminerEffects, PackageExaminer } from "../manager/examiner.ts";
import { runInTrusted } from "../rpm/run-in-trusted.ts";
import { auditRpm } from "../rpm/audit.ts";
import { rpmLockHolder } from "../rpm/lock.ts";
import { askZypper } from "./ask.ts";
import { cacheBelow } from "./cache.ts";
import { needs } from "./examine/needs.ts";
import { rivals } from "./examine/rivals.ts";
import { enabledRepositories, fetchedAliases } from "./repositories.ts";
import { namesBelow } from "../../../machine/files/names-in.ts";
import { pidLockHolderAmong } from "../../../machine/processes/lock-holder.ts";
import { newestIndex } from "../rpm/newest-index.ts";

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
