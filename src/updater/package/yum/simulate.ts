import type { Fault } from "../../../rules/fault/fault.ts";
import type { Change, PackageManager, Planned } from "../manager/manager.ts";
import type { RpmCalls } from "../rpm/calls.ts";
import { asPlanned, halfWay, type NamedPackage } from "../rpm/half-way.ts";
import { lockedTo } from "../rpm/locked-to.ts";
import { closureArgs, exactly, exactlyAll, simulateArgs, simulateErasingArgs } from "./argv.ts";
import type { YumCalls } from "./calls.ts";
import { yumFault } from "./failure.ts";
import { isKeptFrom } from "./locks.ts";
import { parsePlan, type YumPlan } from "./plan.ts";
import { listed, refusedPlan } from "../failure/failure.ts";

export type SimulatingYum = Pick<YumCalls, "ask" | "program"> &
  Pick<RpmCalls, "rows"> &
  Pick<PackageManager, "offers"> & {
    readonly askRpm: RpmCalls["ask"];
    /** The entries in the list of version locks. */
    readonly locks: () => readonly string[];
  };

/** A change, and the packages named with it. */
type Wanted = { readonly change: Change; readonly along: readonly NamedPackage[] };

/** Refuses a plan that removes a package, or changes one that the wanted package neither needs nor is locked to. */
export async function simulate(calls: SimulatingYum, change: Change): Promise<readonly Planned[]> {
  const along = await halfWay(calls, change);
  const wanted = { change, along };
  const itself = [{ name: change.name, version: change.to }, ...along].map(asPlanned);
  // Checked here, because the simulation does not report these locks and dnf would fail in the middle of the repair.
  const locked = heldAmong(calls, along);
  if (locked.length > 0) throw refused(calls, wanted, `go past the version lock of ${listed(locked)}`);
  const { status, output } = await calls.ask(simulateArgs(change, along));
  const plan = parsePlan(output);
  // dnf exits with 1 after our "no", but with 0 for "Nothing to do". The installation checks its result anyway.
  if (plan === undefined && status === 0 && output.includes("\nNothing to do.")) return itself;
  if (plan === undefined) throw await unplanned(calls, wanted, output);
  if (removedIn(plan, change).length > 0) throw refused(calls, wanted, `remove ${listed(removedIn(plan, change))}`);
  const isDown = plan.changed.some(({ name, how }) => name === change.name && how === "down");
  if (isDown && change.direction === "up") throw refused(calls, wanted, "go back to an older version");
  const others = plan.changed.filter(({ name }) => name !== change.name);
  if (others.length === 0) return itself;
  const unrelated = await unrelatedAmong(calls, wanted, others);
  if (unrelated.length > 0) throw refused(calls, wanted, `change ${listed(unrelated)}, which it does not depend on`);
  // To ignore the agent's lock, dnf has to ignore all locks, so we check the others.
  const held = change.hold === "lifted" ? heldAmong(calls, others) : [];
  if (held.length > 0) throw refused(calls, wanted, `go past the version lock of ${listed(held)}`);
  return [...plan.changed, ...itself.filter(({ name }) => plan.changed.every((one) => one.name !== name))];
}

/** Changed packages that the wanted one does not need, directly, through others, or through packages locked to it. */
async function unrelatedAmong(
  calls: SimulatingYum,
  { change, along }: Wanted,
  others: readonly Planned[],
): Promise<readonly string[]> {
  const needed = await neededBy(calls, exactlyAll(change, along));
  const related = new Set<string>([change.name, ...along.map(({ name }) => name), ...needed]);
  for (;;) {
    const rest = others.map(({ name }) => name).filter((name) => !related.has(name));
    if (rest.length === 0) return [];
    const moving = new Set([change.name, ...others.map(({ name }) => name).filter((name) => related.has(name))]);
    const locked = new Set(await lockedTo(calls.askRpm, rest, moving));
    if (locked.size === 0) return rest;
    const exact = others.filter(({ name }) => locked.has(name)).map(({ name, version }) => exactly({ name, to: version }));
    for (const name of [...locked, ...(await neededBy(calls, exact))]) related.add(name);
  }
}

async function neededBy({ ask }: SimulatingYum, packages: readonly string[]): Promise<readonly string[]> {
  return (await ask(closureArgs(packages))).stdout.split("\n");
}

function heldAmong({ locks }: SimulatingYum, others: readonly Pick<Planned, "name" | "version">[]): readonly string[] {
  const entries = locks();
  return others.filter((one) => isKeptFrom(entries, one)).map(({ name }) => name);
}

/** The fault of a failed plan. A second plan, which may remove packages, shows which ones block it. */
async function unplanned(calls: SimulatingYum, wanted: Wanted, output: string): Promise<Fault> {
  const { change, along } = wanted;
  const fault = yumFault(output, { program: calls.program, command: `install ${exactlyAll(change, along).join(" ")}` });
  if (fault.code !== "plan-refused") return fault;
  const erasing = parsePlan((await calls.ask(simulateErasingArgs(change, along))).output);
  const removed = erasing === undefined ? [] : removedIn(erasing, change);
  return removed.length === 0 ? fault : refused(calls, wanted, `remove ${listed(removed)}`);
}

/** The removed packages. One of two versions after a power cut does not count, because the other one is changed. */
function removedIn({ removed, changed }: YumPlan, { name }: Change): readonly string[] {
  return removed.filter((gone) => gone !== name && !changed.some((one) => one.name === gone));
}

function refused({ program }: SimulatingYum, { change, along }: Wanted, would: string): Fault {
  return refusedPlan(change, would, `${program} --assumeno --allowerasing install ${exactlyAll(change, along).join(" ")}`);
}
