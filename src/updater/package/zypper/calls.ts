import type { Patience } from "../call/patience.ts";
import type { LockHolder } from "../../../machine/processes/lock-holder.ts";
import type { InstalledPackage } from "../../plan/host-facts.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { Ended } from "../call/result.ts";
import type { RpmCalls } from "../rpm/calls.ts";
import type { RemoveCaches } from "../rpm/remove-caches.ts";
import type { ZypperRepository } from "./repositories.ts";

/** What follows the program's name and what holds for every call. */
export type ZypperArguments = readonly string[];

/** `unheld`: the package whose hold does not count for this call. */
export type ToldCall = { readonly what: string; readonly unheld: PackageName | undefined };

/** The ways to call zypper: to ask it something, without lock or network; and to let it change the host. */
export type ZypperCalls = {
  readonly ask: (args: ZypperArguments, unheld?: PackageName) => Promise<Ended>;
  readonly act: (args: ZypperArguments, told: ToldCall) => Promise<Ended>;
  /**
   * The same for mere downloads, of lists and of packages: what a repository sends without end would fill the disk.
   * `into`: where they go if not into the cache.
   */
  readonly download: (args: ZypperArguments, what: string, into?: string) => Promise<Ended>;
  readonly removeCaches: RemoveCaches;
  readonly rpm: RpmCalls;
  readonly inspect: (name: PackageName) => Promise<InstalledPackage>;
  /** The enabled ones. */
  readonly repositories: () => readonly ZypperRepository[];
  /** The aliases of those whose lists lie on this host; empty where they lie elsewhere, and all may be used. */
  readonly fetched: () => readonly string[];
  /** Who keeps rpm's own lock. */
  readonly rpmHolder: () => LockHolder | undefined;
  /** How long a plain rpm at work is waited for. */
  readonly patience: Patience;
};
