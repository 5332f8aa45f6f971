import { readdirSync, statSync } from "node:fs";
import type { RunCommand } from "../host/command.ts";
import type { PackageName } from "../settings/settings.ts";
import type { PackageVersion } from "../version/wrapped.ts";
import type { UnixSeconds } from "../window/window.ts";
import type { PackageExaminer } from "./examiner.ts";
import { runInTrusted } from "./rpm/run-in-trusted.ts";
import { auditRpm } from "./rpm/audit.ts";
import { rpmLockHolder } from "./rpm/lock.ts";
import { askZypper } from "./zypper/ask.ts";
import { cacheBelow } from "./zypper/cache.ts";
import { zyppLockHolder } from "./zypper/examine/lock.ts";
import { needs } from "./zypper/examine/needs.ts";
import { rivals, type IsActive } from "./zypper/examine/rivals.ts";
import { enabledRepositories, fetchedAliases } from "./zypper/repositories.ts";

export type ZypperExaminerEffects = { readonly run: RunCommand; readonly root: string; readonly isActive: IsActive };

export function zypperExaminer({ run: runAnywhere, root, isActive }: ZypperExaminerEffects): PackageExaminer {
  const run = runInTrusted(runAnywhere, root);
  const below = root === "/" ? "" : root;
  const caches = cacheBelow(root);
  // Nothing is fetched for an answer, so no route is needed.
  const asking = {
    run,
    root,
    ask: askZypper({ run, root, proxies: {} }),
    fetched: () => fetchedAliases(root, enabledRepositories(root)),
  };
  return {
    name: "zypper",
    lockHolder: () => zyppLockHolder(below) ?? rpmLockHolder(root),
    audit: () => auditRpm({ run, root }),
    listsAskedAt: () => listsAskedAt(`${caches}/raw`),
    isCached: (name, version) => isCached(`${caches}/packages`, name, version),
    needs: (name, change) => needs(asking, name, change),
    rivals: (name) => rivals(name, isActive),
    remedies: {
      unhold: (name) => `sudo zypper removelock ${name}`,
      refresh: "sudo zypper refresh",
      // A plain installation finds nothing to do, where one of the versions is the wanted one.
      mend: "sudo svc-upgrade run --now",
      tidy: "sudo zypper clean --all",
      keepTime: "sudo zypper install chrony",
      lookUp: (name) => `zypper search --details --match-exact ${name}`,
    },
  };
}

/** zypp dates a repository's index anew each time it has asked for it, whether there was something new or not. */
function listsAskedAt(lists: string): UnixSeconds | undefined {
  const times = namesIn(lists).flatMap((alias) => {
    const index = statSync(`${lists}/${alias}/repodata/repomd.xml`, { throwIfNoEntry: false });
    return index === undefined ? [] : [Math.floor(index.mtimeMs / 1000)];
  });
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Kept only for a repository that is told to; the files are named without the epoch, in the repository's own folders. */
function isCached(packages: string, name: PackageName, version: PackageVersion): boolean {
  const start = `${name}-${version.replace(/^\d+:/, "")}.`;
  return namesBelow(packages).some((path) => path.slice(path.lastIndexOf("/") + 1).startsWith(start) && path.endsWith(".rpm"));
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    // What is not there, or may not be listed, holds nothing that could be used.
    return [];
  }
}

function namesBelow(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}
