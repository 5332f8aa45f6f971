import type { Ended } from "../call/result.ts";
import type { RemoveCaches } from "../rpm/remove-caches.ts";
import type { Repositories } from "./repositories.ts";

/** The arguments after the program's name. */
export type YumArguments = readonly string[];

/** How to call the manager: to ask as any user, and to change the host. */
export type YumCalls = {
  /** Answers from files on the host, without network and without waiting for a lock. */
  readonly ask: (args: YumArguments) => Promise<Ended>;
  readonly act: (args: YumArguments, what: string) => Promise<Ended>;
  /**
   * For downloads only, of lists and packages, with a limit: a repository that sends without end would fill the disk. `into`: the target
   * directory, if not the cache.
   */
  readonly download: (args: YumArguments, what: string, into?: string) => Promise<Ended>;
  readonly removeCaches: RemoveCaches;
  /** Returns the repositories, which are read only once. */
  readonly repositories: () => Promise<Repositories>;
  /** dnf's name on this host. */
  readonly program: string;
};
