import type { Command } from "../../../machine/processes/command.ts";
import type { Ended } from "../call/result.ts";
import type { Patience } from "../call/patience.ts";

/** How to call apt and dpkg: to ask as any user, and to change the host. */
export type AptCalls = {
  readonly ask: (argv: Command["argv"]) => Promise<Ended>;
  readonly act: (argv: Command["argv"], what: string) => Promise<Ended>;
  /** Changes the host with files on it. Reads no source, so a broken one does not matter. */
  readonly actOffline: (argv: Command["argv"], what: string) => Promise<Ended>;
  /** "/" for the machine itself; otherwise an absolute path without a slash at the end. */
  readonly root: string;
  /** How long to wait for another dpkg, which does not wait by itself. */
  readonly patience: Patience;
};
