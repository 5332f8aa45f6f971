import type { RunCommand } from "../../../machine/processes/command.ts";
import type { LockHolder } from "../../../machine/processes/lock-holder.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";
import type { Change, PackageManager } from "./manager.ts";

/** The room that a transaction needs on the file system below a path. */
export type Need = { readonly path: string; readonly bytes: number };

/** Another program that would move the package, and how to stop it. */
export type Rival = { readonly told: string; readonly fix: string };

/** Commands for an administrator's shell, in this manager's spelling. */
export type Remedies = {
  readonly unhold: (name: PackageName) => string;
  /** Refreshes the lists of all repositories. */
  readonly refresh: string;
  /** Repairs a half-way database. */
  readonly mend: string;
  /** Frees the room of downloads. */
  readonly tidy: string;
  /** Installs a program that keeps the clock right. */
  readonly keepTime: string;
  /** Shows which repositories offer which versions. */
  readonly lookUp: (name: PackageName) => string;
};

/** Whether a unit of that name is active. */
export type IsActive = (unit: string) => Promise<boolean>;

export type ExaminerEffects = { readonly run: RunCommand; readonly root: string; readonly isActive: IsActive };

/** What doctor also asks of a package manager: quick, without a lock, as any user, changing nothing. */
export type PackageExaminer = {
  readonly name: PackageManager["name"];
  /** Undefined if nobody blocks a transaction. */
  readonly lockHolder: () => LockHolder | undefined;
  /** What is half-way in the database, each in a few words. */
  readonly audit: () => Promise<readonly string[]>;
  /** When the lists were last refreshed; undefined if never, or if this user cannot tell. */
  readonly listsAskedAt: () => UnixSeconds | undefined;
  /** Whether that version's package is still among the downloads. */
  readonly isCached: (name: PackageName, version: PackageVersion) => boolean;
  /** For that change; without one, for a version as large as the installed one. */
  readonly needs: (name: PackageName, change: Change | undefined) => Promise<readonly Need[]>;
  readonly rivals: (name: PackageName) => Promise<readonly Rival[]>;
  readonly remedies: Remedies;
};
