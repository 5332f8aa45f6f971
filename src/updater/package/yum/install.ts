import { asFault } from "../../../rules/fault/explain.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { orInterrupted } from "../failure/interrupted.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import type { Change, Planned } from "../manager/manager.ts";
import type { RpmCalls } from "../rpm/calls.ts";
import { halfWayIn, type NamedPackage } from "../rpm/half-way.ts";
import { makeWay } from "../rpm/make-way.ts";
import { packageVersionOf } from "../rpm/version.ts";
import { exactlyAll, installArgs } from "./argv.ts";
import { failedScript, yumFault } from "./failure.ts";
import { holdAt, type HoldEffects } from "./hold.ts";
import { actWhenFree, type Waiting } from "./wait.ts";

export type InstallEffects = HoldEffects & { readonly waiting: Waiting };

export async function install(effects: InstallEffects, change: Change, planned: readonly Planned[]): Promise<void> {
  const failure = await installOnce(effects, change, planned).catch(asFault);
  // Locks the new version, because the old lock would make the next `dnf distro-sync` go back.
  if (change.hold === "lifted") await holdAt(effects, change.name, failure);
  if (failure !== undefined) throw failure;
}

async function installOnce(effects: InstallEffects, change: Change, planned: readonly Planned[]): Promise<Fault | undefined> {
  const { calls, rpm, waiting } = effects;
  const along = await halfWayIn(planned, rpm, change);
  for (const one of planned) await makeWay(rpm, one);
  const all = [{ name: change.name, version: change.to }, ...along];
  const found = await Promise.all(all.map((one) => versionsOf(rpm, one)));
  const areThere = all.every(({ version }, at) => found[at]?.includes(version) === true);
  const { ignored } = await calls.repositories();
  const verb = areThere ? "reinstall" : "install";
  const args = installArgs(change, { verb, along, ignored });
  const { program } = calls;
  const what = `${verb} ${exactlyAll(change, along).join(" ")}`;
  const { status, output } = await actWhenFree({ program, waiting, what }, () => calls.act(args, what));
  if (status !== 0) return yumFault(output, { program, command: what });
  const script = failedScript(output);
  if (script !== undefined) return orInterrupted(scriptFailed(change, script), output);
  for (const one of all) {
    const failure = notDone(one, await versionsOf(rpm, one), output);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

async function versionsOf(rpm: RpmCalls, { name }: NamedPackage): Promise<readonly (PackageVersion | undefined)[]> {
  return (await rpm.rows(name)).map(packageVersionOf);
}

/** dnf may succeed without doing anything. */
function notDone(
  { name, version }: NamedPackage,
  found: readonly (PackageVersion | undefined)[],
  output: string,
): Fault | undefined {
  if (found.length === 1 && found[0] === version) return undefined;
  const said = /^Nothing to do\.$/m.test(output) ? 'it said "Nothing to do"' : "it said that all is well";
  return new Fault("install-failed", {
    message: `${name} ${version} was not installed, though ${said}: installed is ${found.join(" and ") || "nothing"}`,
    hint: `see \`rpm -q ${name}\``,
  });
}

function scriptFailed({ name, to }: Change, script: string): Fault {
  return new Fault("install-failed", {
    message: `a script of ${name} ${to} failed: ${script}`,
    hint: "/var/log/dnf.rpm.log has all that the script printed; a version whose scripts work has to be served",
  });
}
