import { readdirSync, statSync } from "node:fs";
import type { RunCommand } from "../host/command.ts";
import type { PackageName } from "../settings/settings.ts";
import type { PackageVersion } from "../version/wrapped.ts";
import type { UnixSeconds } from "../window/window.ts";
import type { PackageExaminer } from "./examiner.ts";
import { runInTrusted } from "./rpm/run-in-trusted.ts";
import { auditRpm } from "./rpm/audit.ts";
import { rpmLockHolder } from "./rpm/lock.ts";
import { askYum } from "./yum/ask.ts";
import { needs } from "./yum/examine/needs.ts";
import { pidLockHolder } from "./yum/examine/pid-lock.ts";
import { rivals, type IsActive } from "./yum/examine/rivals.ts";
import { listsBelow } from "./yum/lists.ts";

export type YumExaminerEffects = { readonly run: RunCommand; readonly root: string; readonly isActive: IsActive };

export function yumExaminer({ run: runAnywhere, root, isActive }: YumExaminerEffects): PackageExaminer {
  const run = runInTrusted(runAnywhere, root);
  const below = root === "/" ? "" : root;
  const lists = listsBelow(root);
  return {
    name: "yum",
    lockHolder: () => pidLockHolder(below) ?? rpmLockHolder(root),
    audit: () => auditRpm({ run, root }),
    listsAskedAt: () => listsAskedAt(lists),
    isCached: (name, version) => isCached(lists, name, version),
    needs: (name, change) => needs({ run, root, ...askYum(run, root) }, name, change),
    rivals: (name) => rivals(name, isActive),
    remedies: {
      unhold: (name) => `sudo dnf versionlock delete ${name}`,
      refresh: "sudo dnf makecache",
      mend: "sudo dnf remove --duplicates",
      tidy: "sudo dnf clean packages",
      keepTime: "sudo dnf install chrony",
      lookUp: (name) => `dnf list --showduplicates ${name}`,
    },
  };
}

/** dnf dates a repository's index anew each time it has asked for it, whether there was something new or not. */
function listsAskedAt(lists: string): UnixSeconds | undefined {
  const times = namesIn(lists).flatMap((name) => {
    const index = statSync(`${lists}/${name}/repodata/repomd.xml`, { throwIfNoEntry: false });
    return index === undefined ? [] : [Math.floor(index.mtimeMs / 1000)];
  });
  return times.length === 0 ? undefined : Math.max(...times);
}

/** The files are named without the epoch. */
function isCached(lists: string, name: PackageName, version: PackageVersion): boolean {
  const start = `${name}-${version.replace(/^\d+:/, "")}.`;
  return namesIn(lists).some((repository) =>
    namesIn(`${lists}/${repository}/packages`).some((file) => file.startsWith(start) && file.endsWith(".rpm")),
  );
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    // What is not there, or may not be listed, holds nothing that could be used.
    return [];
  }
}
