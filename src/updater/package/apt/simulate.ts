import { databaseBelow, inspectAllArgv } from "./database.ts";
import type { Fault } from "../../../rules/fault/fault.ts";
import type { Change, Planned } from "../manager/manager.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import { controlArgv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { aptFault } from "./failure.ts";
import { installedAmong } from "./installed.ts";
import { rehearseNamed } from "./named.ts";
import { parsePlan, unrelatedTo } from "./plan.ts";
import { listed, refusedPlan } from "../failure/failure.ts";

/** Refuses a plan that removes a package, or changes one that the wanted package does not depend on. */
export async function simulate(calls: AptCalls, change: Change): Promise<readonly Planned[]> {
  const { ask } = calls;
  const { status, stdout, output } = (await rehearseNamed(calls, change)).ended;
  if (status !== 0) throw aptFault(output, `install ${change.name}=${change.to}`);
  const plan = parsePlan(stdout);
  if (plan.removed.length > 0) throw refused(change, `remove ${listed(plan.removed)}`);
  if (plan.installed.every(({ name }) => name === change.name)) return plan.installed;
  const held = change.hold === "lifted" ? await heldAmong(calls, change, plan.installed) : undefined;
  if (held !== undefined) throw refused(change, `lift the hold on ${held} as well`);
  const control = await ask(controlArgv(plan.installed));
  // Packages of a repair count as related: its plan names the broken ones, but not always what links them to the wanted one.
  const repaired: readonly string[] = change.direction === "same" ? change.beside : [];
  const unrelated = unrelatedTo(change.name, plan, control.stdout).filter((name) => !repaired.includes(name));
  if (unrelated.length > 0) throw refused(change, `change ${listed(unrelated)}, which it does not depend on`);
  return plan.installed;
}

/** Finds held packages in the plan, because the option that lets apt override one hold overrides all. */
async function heldAmong({ ask, root }: AptCalls, change: Change, planned: readonly Planned[]): Promise<string | undefined> {
  const names = planned.map(({ name }) => name).filter((name): name is PackageName => name !== change.name);
  const found = installedAmong(await ask(inspectAllArgv(names, databaseBelow(root))), names);
  return names.find((_, at) => {
    const one = found[at];
    return one?.kind === "present" && one.isHeld;
  });
}

function refused(change: Change, would: string): Fault {
  return refusedPlan(change, would, `apt-get -s install ${change.name}=${change.to}`);
}
