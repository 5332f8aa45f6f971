import type { RunCommand } from "../../../machine/processes/command.ts";
import { refuseForeign } from "../../../machine/files/foreign-part.ts";
import { once } from "../call/once.ts";

/**
 * rpm, dnf and zypper write databases, locks and logs below a root even for a question, and follow links out of it. Refuses to run them where another
 * user may have put links.
 */
export function runInTrusted(run: RunCommand, root: string): RunCommand {
  if (root === "/") return run;
  const looked = once(async () => refuseForeign(root));
  return async (command) => {
    await looked();
    return run(command);
  };
}
