import type { Command } from "../../../machine/processes/command.ts";
import type { Ended } from "../call/result.ts";
import type { Patience } from "../call/patience.ts";

/** The ways to call apt and dpkg: to ask them something, as anybody; and to let them change the host. */
export type AptCalls = {
  readonly ask: (argv: Command["argv"]) => Promise<Ended>;
  readonly act: (argv: Command["argv"], what: string) => Promise<Ended>;
  /** Out of what lies on the host: no source is looked at, so none that is broken stands in the way. */
  readonly actOffline: (argv: Command["argv"], what: string) => Promise<Ended>;
  /** "/" for the machine itself; else an absolute path without a slash at its end. */
  readonly root: string;
  /** How long another run of dpkg is waited for, which dpkg itself does not. */
  readonly patience: Patience;
};
