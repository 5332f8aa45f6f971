import type { Build } from "../../../rules/decide/gate-facts.ts";
import type { InstalledPackage } from "../../plan/host-facts.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { Source } from "../configuration/sources.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";

/** One change of one package, settled to the exact package version. */
export type Change = {
  readonly name: PackageName;
  readonly to: PackageVersion;
  readonly direction: "up" | "down" | "same";
  /** "lifted": an admin's hold is overridden by the settings, and put back afterwards. */
  readonly hold: "none" | "lifted";
  /** What moved along before: in a repair, what is half-way of these is put in order too. */
  readonly beside: readonly PackageName[];
};

/** A package that an installation would put on the host. */
export type Planned = {
  readonly name: string;
  readonly version: string;
  /** Undefined: the plan does not tell. */
  readonly architecture: string | undefined;
};

/** The file of one exact version. "installed": the one that is on the host now; "offered": one that may be put in its place. */
export type WantedFile = {
  readonly name: PackageName;
  readonly version: PackageVersion;
  readonly is: "installed" | "offered";
  /** With what else it is planned, where it cannot be had alone. */
  readonly beside?: readonly Planned[];
};

/** A package file that lies on the host, where only root writes. */
export type FileOnHost = { readonly name: PackageName; readonly version: PackageVersion; readonly path: string };

/** The agent's file first, and those of the packages that move along with it. */
export type FileSet = readonly [FileOnHost, ...FileOnHost[]];

/** What a move brings, and what it takes the place of. */
export type BothSets = { readonly after: FileSet; readonly before: FileSet };

/**
 * What the updater needs of a package manager. Each family is one file behind this port.
 * What fails is thrown as a Fault; an exit status alone is never taken for success (the pass verifies through `inspect`).
 */
export type PackageManager = {
  readonly name: "apt" | "yum" | "zypper";
  /** Below which it works; undefined: the machine's own. */
  readonly root?: string;
  /** Asks the package database alone: quick, without lock, as any user. */
  readonly inspect: (name: PackageName) => Promise<InstalledPackage>;
  /** The same of several packages, in their order, with one question. */
  readonly inspectAll: (names: readonly PackageName[]) => Promise<readonly InstalledPackage[]>;
  /** Refreshes the lists of those sources alone that offer the package. */
  readonly refresh: (name: PackageName) => Promise<void>;
  /** What the repositories offer, in the manager's own order and by its own pins, the preferred one first. */
  readonly offers: (name: PackageName) => Promise<readonly PackageVersion[]>;
  /** Where this host looks for packages: the repositories that are enabled. */
  readonly sources: () => Promise<readonly Source[]>;
  /** What the repositories say of the file of an offer, as far as the manager tells it: by that a rebuilt package is known. */
  readonly buildOf: (name: PackageName, version: PackageVersion) => Promise<Build>;
  /**
   * Refuses a plan that removes anything or touches more than the package and what it depends on; gives what it would install. Where an
   * older version needs others that are older too, they go down with it.
   */
  readonly simulate: (change: Change) => Promise<readonly Planned[]>;
  /**
   * Has the files of all that is planned lie in the manager's cache, where only root writes, and refuses those that are not the
   * packages that they are offered as: a repository's list may say what it likes.
   */
  readonly bring: (change: Change, planned: readonly Planned[]) => Promise<void>;
  /**
   * Brings the package's file into a directory that only root writes to, and says its name there: with the manager's own
   * checks of origin and signature, and so that an installation that follows downloads nothing a second time. Leaves nothing
   * else in the directory.
   */
  readonly fetch: (wanted: WantedFile, directory: string) => Promise<string>;
  /** Installs what was planned and brought, and downloads nothing where the manager can be told so. */
  readonly install: (change: Change, planned: readonly Planned[]) => Promise<void>;
  /**
   * Installs from files that were fetched once, in one transaction: no repository and no network is needed, and the same verification
   * follows. Refused before anything changes where something else would be removed, or could not stay.
   */
  readonly installFiles: (change: Change, files: FileSet) => Promise<void>;
  /**
   * Why the packages of before could not be put in the place of those that a move brings, once these are installed; undefined where
   * they could. The manager itself is asked, on a copy of what it knows: nothing of the host changes.
   */
  readonly objectionToBack: (sets: BothSets) => Promise<string | undefined>;
  /** Puts a hold back that a change had lifted which did not finish; one that is there stays. */
  readonly holdAgain: (name: PackageName) => Promise<void>;
  /** Ends what a transaction of these packages that did not finish has left half-way, as far as the manager can by itself. Whole databases stay as they are. */
  readonly mend: (names: readonly PackageName[]) => Promise<void>;
};
