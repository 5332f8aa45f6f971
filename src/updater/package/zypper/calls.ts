import type { Patience } from "../call/patience.ts";
import type { LockHolder } from "../../../machine/processes/lock-holder.ts";
import type { InstalledPackage } from "../../plan/host-facts.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { Ended } from "../call/result.ts";
import type { RpmCalls } from "../rpm/calls.ts";
import type { RemoveCaches } from "../rpm/remove-caches.ts";
import type { ZypperRepository } from "./repositories.ts";

/** The arguments after the program's name and those of every call. */
export type ZypperArguments = readonly string[];

/** `unheld`: the call ignores the hold of this package. */
export type ToldCall = { readonly what: string; readonly unheld: PackageName | undefined };

/** How to call zypper: to ask without lock or network, and to change the host. */
export type ZypperCalls = {
  readonly ask: (args: ZypperArguments, unheld?: PackageName) => Promise<Ended>;
  readonly act: (args: ZypperArguments, told: ToldCall) => Promise<Ended>;
  /**
   * For downloads only, of lists and packages, with a limit: a repository that sends without end would fill the disk. `into`: the target
   * directory, if not the cache.
   */
  readonly download: (args: ZypperArguments, what: string, into?: string) => Promise<Ended>;
  readonly removeCaches: RemoveCaches;
  readonly rpm: RpmCalls;
  readonly inspect: (name: PackageName) => Promise<InstalledPackage>;
  /** The enabled repositories. */
  readonly repositories: () => readonly ZypperRepository[];
  /** The aliases of repositories with lists on this host. Empty if the lists are elsewhere: then zypper may use all. */
  readonly fetched: () => readonly string[];
  /** Who holds rpm's own lock. */
  readonly rpmHolder: () => LockHolder | undefined;
  /** How long to wait while somebody runs rpm without zypper. */
  readonly patience: Patience;
};
