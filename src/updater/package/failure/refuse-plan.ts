import { Fault } from "../../../rules/fault/fault.ts";
import type { Change } from "../manager/manager.ts";

/** More names would explain no more. */
const mostNames = 8;

export function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(", ");
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown;
}

/** The fault of a plan that changes what it must not. `look` is the command that shows the whole plan. */
export function refusedPlan({ name, to }: Pick<Change, "name" | "to">, would: string, look: string): Fault {
  const hint = `look at the whole plan with \`${look}\``;
  return new Fault("plan-refused", { message: `installing ${name} ${to} would ${would}`, hint });
}
