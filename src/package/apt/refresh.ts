import { Fault } from "../../fault/fault.ts";
import type { PackageName } from "../../settings/settings.ts";
import { indexesArgv, refreshAllArgv, refreshArgv } from "./argv.ts";
import { askPolicy } from "./ask-policy.ts";
import type { AptCalls } from "./calls.ts";
import { aptFault, holderIn, namingHolder, refreshTrouble } from "./failure.ts";
import { offersOf, sourceFilesOf } from "./policy.ts";

/** Refreshes the source files that offer the package; another one that is dead must not stand in the way. */
export async function refresh(calls: AptCalls, name: PackageName): Promise<void> {
  const indexes = await calls.ask(indexesArgv());
  const files = sourceFilesOf(await askPolicy(calls, name), indexes.stdout);
  if (files.length === 0) return refreshAll(calls, name);
  for (const file of files) {
    const { status, output } = await calls.act(refreshArgv(file), `refresh ${file}`);
    if (status !== 0 || refreshTrouble(output) !== undefined) throw refreshFault(output, `the package lists of ${file}`);
  }
}

/** Nobody is known to offer the package yet, so any source may; a dead one among them matters only if none does. */
async function refreshAll(calls: AptCalls, name: PackageName): Promise<void> {
  const { status, output } = await calls.act(refreshAllArgv(), "refresh all package lists");
  if (status !== 0) throw refreshFault(output, "the package lists");
  if (refreshTrouble(output) === undefined || offersOf(await askPolicy(calls, name)).length > 0) return;
  throw refreshFault(output, "the package lists");
}

function refreshFault(output: string, what: string): Fault {
  const fault = aptFault(output, "update");
  if (fault.code === "manager-busy" || fault.code === "no-space" || fault.code === "not-permitted")
    return namingHolder(fault, holderIn(output));
  return new Fault("refresh-failed", {
    message: `${what} could not be refreshed: ${refreshTrouble(output) ?? fault.message}`,
    hint: "try it by hand: `apt-get update`",
  });
}
