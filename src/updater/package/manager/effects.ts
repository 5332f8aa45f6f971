import type { RunCommand } from "../../../machine/processes/command.ts";
import type { ProxyVariables } from "../../../rules/route/route.ts";
import type { Transact } from "../call/transact.ts";

/** What a package manager works with: how it is run, and where. */
export type ManagerEffects = {
  readonly run: RunCommand;
  readonly transact: Transact;
  /** "/" for the machine itself; else an absolute path without a slash at its end. */
  readonly root: string;
  /** By them the repositories are reached, as everything else is. */
  readonly proxies: ProxyVariables;
};
