import { asFault } from "../../fault/explain.ts";
import { Fault } from "../../fault/fault.ts";
import { orInterrupted } from "../interrupted.ts";
import type { Change } from "../manager.ts";
import type { RpmCalls } from "../rpm/calls.ts";
import type { InstalledRow } from "../rpm/installed.ts";
import { makeWay } from "../rpm/make-way.ts";
import { packageVersionOf } from "../rpm/version.ts";
import { exactly, installArgs } from "./argv.ts";
import type { YumCalls } from "./calls.ts";
import { failedScript, yumFault } from "./failure.ts";
import { holdAt } from "./hold.ts";
import { actWhenFree, type Waiting } from "./wait.ts";

export type InstallEffects = {
  readonly calls: Omit<YumCalls, "download" | "removeCaches">;
  readonly rpm: RpmCalls;
  readonly waiting: Waiting;
  /** The entries of the list of version locks. */
  readonly locks: () => readonly string[];
};

export async function install(effects: InstallEffects, change: Change): Promise<void> {
  const failure = await installOnce(effects, change).catch(asFault);
  // The lock names a version: left as it is, the next `dnf distro-sync` would go back there.
  if (change.hold === "lifted") await holdAt(effects, change.name, failure);
  if (failure !== undefined) throw failure;
}

async function installOnce(effects: InstallEffects, change: Change): Promise<Fault | undefined> {
  const { calls, rpm, waiting } = effects;
  await makeWay(rpm, change);
  const isThere = (await rpm.rows(change.name)).some((row) => packageVersionOf(row) === change.to);
  const { ignored } = await calls.repositories();
  const verb = isThere ? "reinstall" : "install";
  const what = `${verb} ${exactly(change)}`;
  const { status, output } = await actWhenFree(calls, installArgs(verb, change, ignored), { what, waiting });
  if (status !== 0) return yumFault(output, { program: calls.program, command: what });
  const script = failedScript(output);
  if (script !== undefined) return orInterrupted(scriptFailed(change, script), output);
  return notDone(change, await rpm.rows(change.name), output);
}

/** dnf counts as a success what it did not do. */
function notDone(change: Change, rows: readonly InstalledRow[], output: string): Fault | undefined {
  const found = rows.map(packageVersionOf);
  if (found.length === 1 && found[0] === change.to) return undefined;
  const said = /^Nothing to do\.$/m.test(output) ? 'it said "Nothing to do"' : "it said that all is well";
  return new Fault("install-failed", {
    message: `${change.name} ${change.to} was not installed, though ${said}: installed is ${found.join(" and ") || "nothing"}`,
    hint: `see \`rpm -q ${change.name}\``,
  });
}

function scriptFailed({ name, to }: Change, script: string): Fault {
  return new Fault("install-failed", {
    message: `a script of ${name} ${to} failed: ${script}`,
    hint: "/var/log/dnf.rpm.log has all that the script printed; a version whose scripts work has to be served",
  });
}
