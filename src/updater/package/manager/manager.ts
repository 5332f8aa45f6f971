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
  /** The packages that earlier moves took along. A repair also repairs those that are half-way. */
  readonly beside: readonly PackageName[];
};

/** A package that an installation would put on the host. */
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
  /** The plan it belongs to, if it cannot be fetched alone. */
  readonly beside?: readonly Planned[];
};

/** A package file on the host, where only root writes. */
export type FileOnHost = { readonly name: PackageName; readonly version: PackageVersion; readonly path: string };

/** The agent's file first, then those of its companions. */
export type FileSet = readonly [FileOnHost, ...FileOnHost[]];

/** The files that a move brings, and those that it replaces. */
export type BothSets = { readonly after: FileSet; readonly before: FileSet };

/**
 * What the updater needs of a package manager. Each family is one file behind this port. Failures are thrown as Faults; an exit status
 * alone never counts as success: the pass verifies with `inspect`.
 */
export type PackageManager = {
  readonly name: "apt" | "yum" | "zypper";
  /** The root to work below; undefined: the machine's own. */
  readonly root?: string;
  /** Asks only the package database: quick, without a lock, as any user. */
  readonly inspect: (name: PackageName) => Promise<InstalledPackage>;
  /** Asks for several packages with one question, and answers in their order. */
  readonly inspectAll: (names: readonly PackageName[]) => Promise<readonly InstalledPackage[]>;
  /** Refreshes only the lists of sources that offer the package. */
  readonly refresh: (name: PackageName) => Promise<void>;
  /** What the repositories offer, in the manager's own order and by its pins, the preferred one first. */
  readonly offers: (name: PackageName) => Promise<readonly PackageVersion[]>;
  /** Where this host looks for packages: the enabled repositories. */
  readonly sources: () => Promise<readonly Source[]>;
  /** What the repositories say about an offer's file, as far as the manager shows it: this reveals a rebuilt package. */
  readonly buildOf: (name: PackageName, version: PackageVersion) => Promise<Build>;
  /**
   * Refuses a plan that removes anything or touches more than the package and its dependencies; returns what it would install. If an older
   * version needs older dependencies, they go down with it.
   */
  readonly simulate: (change: Change) => Promise<readonly Planned[]>;
  /**
   * Puts the files of all planned packages into the manager's cache, where only root writes, and refuses any that is not the package it is
   * offered as: a repository's list may claim anything.
   */
  readonly bring: (change: Change, planned: readonly Planned[]) => Promise<void>;
  /**
   * Brings the package's file into a directory where only root writes, and returns its name there. The manager checks origin and signature,
   * and a following installation downloads nothing again. Leaves nothing else in the directory.
   */
  readonly fetch: (wanted: WantedFile, directory: string) => Promise<string>;
  /** Installs what was planned and fetched; downloads nothing, if the manager can be told so. */
  readonly install: (change: Change, planned: readonly Planned[]) => Promise<void>;
  /**
   * Installs from kept files in one transaction, without repository or network; the same verification follows. Refuses before any change if
   * another package would be removed, or could not stay.
   */
  readonly installFiles: (change: Change, files: FileSet) => Promise<void>;
  /**
   * Why the previous packages could not be reinstalled after a move; undefined if they could. Asks the manager on a copy of its data, and
   * changes nothing on the host.
   */
  readonly objectionToBack: (sets: BothSets) => Promise<string | undefined>;
  /** Restores a hold that an unfinished change had lifted; an existing hold stays. */
  readonly holdAgain: (name: PackageName) => Promise<void>;
  /**
   * Ends a transaction of these packages that was cut off half-way, as far as the manager can by itself. A whole database stays as it is.
   */
  readonly mend: (names: readonly PackageName[]) => Promise<void>;
};
