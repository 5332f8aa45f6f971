import { Fault } from "../../fault/fault.ts";
import type { Change, Planned } from "../manager.ts";
import { closureArgs, exactly, simulateArgs, simulateErasingArgs } from "./argv.ts";
import type { YumCalls } from "./calls.ts";
import { yumFault } from "./failure.ts";
import { parsePlan, type YumPlan } from "./plan.ts";

type Asking = Pick<YumCalls, "ask" | "program">;

/** More names than this say no more than their number. */
const mostNames = 8;

/** Refuses what removes a package, or changes one that the wanted one does not depend on. */
export async function simulate(calls: Asking, change: Change): Promise<readonly Planned[]> {
  const { status, output } = await calls.ask(simulateArgs(change));
  const plan = parsePlan(output);
  // An answer of no is counted as a failure; "Nothing to do" is not: what that comes to is seen after the installation.
  if (plan === undefined && status === 0 && output.includes("\nNothing to do.")) return [itself(change)];
  if (plan === undefined) throw await unplanned(calls, change, output);
  if (removedIn(plan, change).length > 0) throw refused(calls, change, `remove ${listed(removedIn(plan, change))}`);
  const isDown = plan.changed.some(({ name, how }) => name === change.name && how === "down");
  if (isDown && change.direction === "up") throw refused(calls, change, "go back to an older version");
  const others = plan.changed.map(({ name }) => name).filter((name) => name !== change.name);
  if (others.length === 0) return [itself(change)];
  const needed = new Set((await calls.ask(closureArgs(change))).stdout.split("\n").map((line) => line.trim()));
  const unrelated = others.filter((name) => !needed.has(name));
  if (unrelated.length > 0) throw refused(calls, change, `change ${listed(unrelated)}, which it does not depend on`);
  return plan.changed;
}

function itself({ name, to }: Change): Planned {
  return { name, version: to, architecture: undefined };
}

/** Where no plan is without removals, the one with them tells their names. */
async function unplanned(calls: Asking, change: Change, output: string): Promise<Fault> {
  const fault = yumFault(output, { program: calls.program, command: `install ${exactly(change)}` });
  if (fault.code !== "plan-refused") return fault;
  const erasing = parsePlan((await calls.ask(simulateErasingArgs(change))).output);
  const removed = erasing === undefined ? [] : removedIn(erasing, change);
  return removed.length === 0 ? fault : refused(calls, change, `remove ${listed(removed)}`);
}

/** What is left of the package's own other versions is meant to go. */
function removedIn({ removed }: YumPlan, { name }: Change): readonly string[] {
  return removed.filter((gone) => gone !== name);
}

function refused({ program }: Asking, change: Change, would: string): Fault {
  return new Fault("plan-refused", {
    message: `installing ${change.name} ${change.to} would ${would}`,
    hint: `look at the whole plan with \`${program} --assumeno --allowerasing install ${exactly(change)}\``,
  });
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(", ");
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown;
}
