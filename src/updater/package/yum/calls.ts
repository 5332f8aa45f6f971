import type { Ended } from "../call/result.ts";
import type { RemoveCaches } from "../rpm/remove-caches.ts";
import type { Repositories } from "./repositories.ts";

/** What follows the program's name. */
export type YumArguments = readonly string[];

/** The ways to call the manager: to ask it something, as anybody; and to let it change the host. */
export type YumCalls = {
  /** Answers out of what lies on the host, without network and without waiting for anybody's lock. */
  readonly ask: (args: YumArguments) => Promise<Ended>;
  readonly act: (args: YumArguments, what: string) => Promise<Ended>;
  /**
   * The same for mere downloads, of lists and of packages: what a repository sends without end would fill the disk.
   * `into`: where they go if not into the cache.
   */
  readonly download: (args: YumArguments, what: string, into?: string) => Promise<Ended>;
  readonly removeCaches: RemoveCaches;
  /** As they were when this was asked first. */
  readonly repositories: () => Promise<Repositories>;
  /** As it must be typed on this host. */
  readonly program: string;
};
