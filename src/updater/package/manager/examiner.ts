import type { RunCommand } from "../../../machine/processes/command.ts";
import type { LockHolder } from "../../../machine/processes/lock-holder.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";
import type { Change, PackageManager } from "./manager.ts";

/** The space that a transaction needs on the file system of a path. */
export type Need = { readonly path: string; readonly bytes: number };

/** Another program that would move the package, and how to stop it. */
export type Rival = { readonly told: string; readonly fix: string };

/** Commands of this manager for an administrator's shell. */
export type Remedies = {
  readonly unhold: (name: PackageName) => string;
  /** Refreshes the lists of all repositories. */
  readonly refresh: string;
  /** Repairs a half-finished database. */
  readonly mend: string;
  /** Removes old downloads. */
  readonly tidy: string;
  /** Installs a program that keeps the clock right. */
  readonly keepTime: string;
  /** Shows which repositories offer which versions. */
  readonly lookUp: (name: PackageName) => string;
};

/** Whether the unit with that name is active. */
export type IsActive = (unit: string) => Promise<boolean>;

export type ExaminerEffects = { readonly run: RunCommand; readonly root: string; readonly isActive: IsActive };

/** What only doctor asks of a package manager. Quick, takes no lock, works for any user, changes nothing. */
export type PackageExaminer = {
  readonly name: PackageManager["name"];
  /** Undefined if nobody blocks a transaction. */
  readonly lockHolder: () => LockHolder | undefined;
  /** What is half-installed, each in a few words. */
  readonly audit: () => Promise<readonly string[]>;
  /** When the lists were last refreshed; undefined if never, or if this user cannot tell. */
  readonly listsAskedAt: () => UnixSeconds | undefined;
  /** Whether that version's package is still among the downloads. */
  readonly isCached: (name: PackageName, version: PackageVersion) => boolean;
  /** The space for that change; without one, for a version as large as the installed one. */
  readonly needs: (name: PackageName, change: Change | undefined) => Promise<readonly Need[]>;
  readonly rivals: (name: PackageName) => Promise<readonly Rival[]>;
  readonly remedies: Remedies;
};
