import { databaseBelow } from "./database.ts";
import { attemptDpkg } from "./attempt-dpkg.ts";
import { auditArgv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { auditFrom, isInterrupted } from "./examine/audit.ts";
import { configureArgv } from "./offline-argv.ts";

/**
 * Has dpkg apply its journal, without which apt does nothing, and configure unpacked packages. Ignores a failing script, because the package is
 * inspected afterwards. A half-unpacked package stays so until a file is installed over it.
 */
export async function mend(calls: AptCalls): Promise<void> {
  const database = databaseBelow(calls.root);
  if (!isInterrupted(database) && auditFrom(await calls.ask(auditArgv(database))).length === 0) return;
  const { failure } = await attemptDpkg(calls, configureArgv(calls.root), "--configure -a");
  if (failure !== undefined && failure.code !== "install-failed") throw failure;
}
