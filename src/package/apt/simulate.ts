import { Fault } from "../../fault/fault.ts";
import type { Change, Planned } from "../manager.ts";
import { controlArgv, simulateArgv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { aptFault } from "./failure.ts";
import { parsePlan, unrelatedTo } from "./plan.ts";

/** More names than this say no more than their number. */
const mostNames = 8;

/** Refuses what removes a package, or changes one that the wanted one does not depend on. */
export async function simulate({ ask }: AptCalls, change: Change): Promise<readonly Planned[]> {
  const { status, stdout, output } = await ask(simulateArgv(change));
  if (status !== 0) throw aptFault(output, `install ${change.name}=${change.to}`);
  const plan = parsePlan(stdout);
  if (plan.removed.length > 0) throw refused(change, `remove ${listed(plan.removed)}`);
  if (plan.installed.every(({ name }) => name === change.name)) return plan.installed;
  const control = await ask(controlArgv(plan.installed));
  const unrelated = unrelatedTo(change.name, plan, control.stdout);
  if (unrelated.length > 0) throw refused(change, `change ${listed(unrelated)}, which it does not depend on`);
  return plan.installed;
}

function refused({ name, to }: Change, would: string): Fault {
  return new Fault("plan-refused", {
    message: `installing ${name} ${to} would ${would}`,
    hint: `look at the whole plan with \`apt-get -s install ${name}=${to}\``,
  });
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(", ");
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown;
}
