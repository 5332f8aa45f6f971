import type { RunCommand } from "../../../machine/processes/command.ts";
import { refuseForeign } from "../../../machine/files/foreign-part.ts";
import { once } from "../call/once.ts";

/**
 * Even to answer a question rpm, dnf and zypper write below a root, databases, locks and logs, and follow its links out of it:
 * they are asked nothing where another user may have put some there.
 */
export function runInTrusted(run: RunCommand, root: string): RunCommand {
  if (root === "/") return run;
  const looked = once(async () => refuseForeign(root));
  return async (command) => {
    await looked();
    return run(command);
  };
}
