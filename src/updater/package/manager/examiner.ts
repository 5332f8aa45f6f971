import type { RunCommand } from "../../../machine/processes/command.ts";
import type { LockHolder } from "../../../machine/processes/lock-holder.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";
import type { Change, PackageManager } from "./manager.ts";

/** What a transaction needs on the file system below a path. */
export type Need = { readonly path: string; readonly bytes: number };

/** Another program that moves the package by itself, and what keeps it from that. */
export type Rival = { readonly told: string; readonly fix: string };

/** Words for an admin's shell, as this manager spells them. */
export type Remedies = {
  readonly unhold: (name: PackageName) => string;
  /** Fetches the lists of all repositories. */
  readonly refresh: string;
  /** Brings a database that was left half-way in order. */
  readonly mend: string;
  /** Gives back what downloads take. */
  readonly tidy: string;
  /** Installs a program that keeps the clock right. */
  readonly keepTime: string;
  /** Shows which repositories offer which versions. */
  readonly lookUp: (name: PackageName) => string;
};

/** Whether a unit of that name is up. */
export type IsActive = (unit: string) => Promise<boolean>;

export type ExaminerEffects = { readonly run: RunCommand; readonly root: string; readonly isActive: IsActive };

/** What doctor asks of a package manager besides: quick, without a lock, as any user, and changing nothing. */
export type PackageExaminer = {
  readonly name: PackageManager["name"];
  /** Undefined: nobody keeps a transaction from starting. */
  readonly lockHolder: () => LockHolder | undefined;
  /** What the database has left half-way, each in a few words. */
  readonly audit: () => Promise<readonly string[]>;
  /** When the repositories were last asked for their lists; undefined: never, or this user cannot tell. */
  readonly listsAskedAt: () => UnixSeconds | undefined;
  /** Whether the package of that version still lies where downloads are kept. */
  readonly isCached: (name: PackageName, version: PackageVersion) => boolean;
  /** For that change; undefined: for one to a version as large as the installed. */
  readonly needs: (name: PackageName, change: Change | undefined) => Promise<readonly Need[]>;
  readonly rivals: (name: PackageName) => Promise<readonly Rival[]>;
  readonly remedies: Remedies;
};
