import type { RunCommand } from "../../../machine/processes/command.ts";
import type { ProxyVariables } from "../../../rules/route/route.ts";
import type { Transact } from "../call/transact.ts";

/** What a package manager needs: ways to run it, and where. */
export type ManagerEffects = {
  readonly run: RunCommand;
  readonly transact: Transact;
  /** "/" for the machine itself; otherwise an absolute path without a slash at the end. */
  readonly root: string;
  /** The proxies to the repositories. All other connections use them too. */
  readonly proxies: ProxyVariables;
};
