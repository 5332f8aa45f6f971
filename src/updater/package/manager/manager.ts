import type { Build } from "../../../rules/decide/gate-facts.ts";
import type { InstalledPackage } from "../../plan/host-facts.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { Source } from "../configuration/sources.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";

/** One change of one package to an exact version. */
export type Change = {
  readonly name: PackageName;
  readonly to: PackageVersion;
  readonly direction: "up" | "down" | "same";
  /** "lifted": the settings override an administrator's hold, which is restored afterwards. */
  readonly hold: "none" | "lifted";
  /** The packages that earlier moves took along. A repair also repairs those of them that are half-installed. */
  readonly beside: readonly PackageName[];
};

/** A package that an installation would change or add. */
export type Planned = {
  readonly name: string;
  readonly version: string;
  /** Undefined if the plan does not say. */
  readonly architecture: string | undefined;
};

/** The file of one exact version. "installed": the version on the host; "offered": one that may replace it. */
export type WantedFile = {
  readonly name: PackageName;
  readonly version: PackageVersion;
  readonly is: "installed" | "offered";
  /** The plan that the file belongs to, if it cannot be fetched alone. */
  readonly beside?: readonly Planned[];
};

/** A package file on the host, which only root can write. */
export type FileOnHost = { readonly name: PackageName; readonly version: PackageVersion; readonly path: string };

/** The agent's file first, then those of its companions. */
export type FileSet = readonly [FileOnHost, ...FileOnHost[]];

/** The files that a move brings, and those that it replaces. */
export type BothSets = { readonly after: FileSet; readonly before: FileSet };

/**
 * What the updater needs of a package manager. Each family implements this port. Throws failures as Faults. An exit status alone never counts as
 * success: the pass verifies with `inspect`.
 */
export type PackageManager = {
  readonly name: "apt" | "yum" | "zypper";
  /** The root to work on; undefined for the machine itself. */
  readonly root?: string;
  /** Asks only the package database. Quick, takes no lock, works for any user. */
  readonly inspect: (name: PackageName) => Promise<InstalledPackage>;
  /** Asks for several packages with one question, and answers in their order. */
  readonly inspectAll: (names: readonly PackageName[]) => Promise<readonly InstalledPackage[]>;
  /** Refreshes only the lists of sources that offer the package. */
  readonly refresh: (name: PackageName) => Promise<void>;
  /** The versions that repositories offer, in the manager's own order and by its pins, the preferred one first. */
  readonly offers: (name: PackageName) => Promise<readonly PackageVersion[]>;
  /** Where the manager looks for packages: the enabled repositories. */
  readonly sources: () => Promise<readonly Source[]>;
  /** What the repositories say about an offered file, as far as the manager shows it. This reveals a rebuilt package. */
  readonly buildOf: (name: PackageName, version: PackageVersion) => Promise<Build>;
  /**
   * Refuses a plan that removes anything, or touches more than the package and its dependencies. Returns what it would install. If an older version
   * needs older dependencies, they are downgraded with it.
   */
  readonly simulate: (change: Change) => Promise<readonly Planned[]>;
  /**
   * Puts the files of all planned packages into the manager's cache, which only root can write. Refuses a file that is not the package which it is
   * offered as, because a repository's list may claim anything.
   */
  readonly bring: (change: Change, planned: readonly Planned[]) => Promise<void>;
  /**
   * Puts the package's file into a directory that only root can write, and returns its name there. The manager checks origin and signature, and a
   * following installation does not download the file again. Leaves nothing else in the directory.
   */
  readonly fetch: (wanted: WantedFile, directory: string) => Promise<string>;
  /** Installs what was planned and fetched. Downloads nothing, if the manager has an option for that. */
  readonly install: (change: Change, planned: readonly Planned[]) => Promise<void>;
  /**
   * Installs kept files in one transaction, without repository or network. The usual verification follows. Refuses before any change if another
   * package would be removed or could not stay.
   */
  readonly installFiles: (change: Change, files: FileSet) => Promise<void>;
  /**
   * Why the previous packages could not be reinstalled after a move; undefined if they could. Asks the manager on a copy of its data, and does not
   * change the host.
   */
  readonly objectionToBack: (sets: BothSets) => Promise<string | undefined>;
  /** Restores a hold that an unfinished change had lifted; an existing hold stays. */
  readonly holdAgain: (name: PackageName) => Promise<void>;
  /** Ends a cut-off transaction of these packages, as far as the manager can by itself. Does not touch a whole database. */
  readonly mend: (names: readonly PackageName[]) => Promise<void>;
};
