import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { Change, Planned } from "../manager/manager.ts";
import { asPlanned, halfWay, type NamedPackage } from "../rpm/half-way.ts";
import { lockedTo } from "../rpm/locked-to.ts";
import { detailsArgs, exactlyAll, flagsFor, requirersArgs, simulateArgs, type ZypperInstallation } from "./argv.ts";
import type { ZypperCalls } from "./calls.ts";
import { zypperFault } from "./failure.ts";
import { askOffered, offersOf } from "./offers.ts";
import { parsePlan, versionsIn, type ZypperPlan } from "./plan.ts";
import { parseFound } from "./search.ts";
import { listed, refusedPlan } from "../failure/failure.ts";

/** How to install an accepted plan, and the names of all its packages. */
type Rehearsed = { readonly installation: ZypperInstallation; readonly names: readonly string[] };

/** Statuses of a valid plan. 106 means that zypper left out a repository. */
const planned: readonly number[] = [0, 102, 103, 106];

/**
 * Refuses a plan that removes a package, changes one that the wanted package neither needs nor is locked to, changes a vendor, or needs
 * another licence than the agent's. Packages repaired along with it count as wanted too. Returns how to install an accepted plan.
 */
export async function simulate(
  calls: ZypperCalls,
  change: Change,
  along: readonly NamedPackage[] = [],
): Promise<ZypperInstallation> {
  return (await rehearse(calls, change, along)).installation;
}

async function rehearse(calls: ZypperCalls, change: Change, along: readonly NamedPackage[]): Promise<Rehearsed> {
  const { name, to } = change;
  const found = await calls.inspect(name);
  const installed = found.kind === "present" ? found : undefined;
  const isHalfWay = installed?.condition === "half-way";
  const again = change.direction === "down" ? "down again" : "again";
  const mode = isHalfWay ? again : change.direction;
  const installation: ZypperInstallation = { name, to, mode, aliases: calls.fetched(), along };
  const held = await heldAmong(calls, along);
  if (held.length > 0) throw refused(installation, `go past the lock of ${listed(held)}`);
  const ended = await calls.ask(simulateArgs(installation), unheldBy(change));
  if (!planned.includes(ended.status)) throw zypperFault(ended, typed(installation));
  const plan = parsePlan(ended.stdout);
  const isThere = installed?.packageVersion === to && !isHalfWay;
  if (!isThere && ![...plan.added, ...plan.changed].includes(name)) throw nothingToDo(installation, ended.output);
  await refuse(calls, installation, plan);
  return { installation, names: [...new Set([name, ...along.map((one) => one.name), ...plan.added, ...plan.changed])] };
}

/** The packages and versions that an installation would put on the host. */
export async function plannedBy(calls: ZypperCalls, change: Change): Promise<readonly Planned[]> {
  const along = await halfWay({ ...calls.rpm, offers: async (name) => offersOf(await askOffered(calls, name)) }, change);
  const { installation, names } = await rehearse(calls, change, along);
  const itself = [{ name: change.name, version: change.to }, ...along].map(asPlanned);
  if (names.length === itself.length) return itself;
  const ended = await calls.ask(detailsArgs(installation), unheldBy(change));
  const versions = versionsIn(ended.stdout);
  return names.map((name) => {
    const version = itself.find((one) => one.name === name)?.version ?? versions.get(name);
    if (version === undefined) throw refused(installation, `bring along ${quote(name)}, and does not tell its version`);
    return { name, version, architecture: undefined };
  });
}

/** The package, if the settings override its hold. */
export function unheldBy({ name, hold }: Change): PackageName | undefined {
  return hold === "lifted" ? name : undefined;
}

/** The command as an administrator types it. */
export function typed(installation: ZypperInstallation): string {
  return ["install", ...flagsFor(installation.mode), ...exactlyAll(installation)].join(" ");
}

/** The held ones among these packages. `zypper install --force` may ignore a lock. */
async function heldAmong({ inspect }: ZypperCalls, along: readonly NamedPackage[]): Promise<readonly string[]> {
  const held: string[] = [];
  for (const { name } of along) {
    const found = await inspect(name);
    if (found.kind === "present" && found.isHeld) held.push(name);
  }
  return held;
}

async function refuse(calls: ZypperCalls, wanted: ZypperInstallation, plan: ZypperPlan): Promise<void> {
  const named = namesOf(wanted);
  const isOther = (name: string): boolean => !named.includes(name);
  // After a power cut, one of two versions is removed and the other one changed.
  const removed = plan.removed.filter((name) => isOther(name) && !plan.changed.includes(name));
  if (removed.length > 0) throw refused(wanted, `remove ${listed(removed)}`);
  if (plan.revended.length > 0) throw refused(wanted, `take ${listed(plan.revended)} from another vendor than before`);
  const licensed = plan.licensed.filter(isOther);
  if (licensed.length > 0) throw refused(wanted, `agree to the licence of ${listed(licensed)}`);
  const unrelated = await unrelatedIn(calls, wanted, plan);
  if (unrelated.length > 0) throw refused(wanted, `change ${listed(unrelated)}, which it does not depend on`);
}

/** Changed packages that the wanted one does not need, directly, through others, or through packages locked to it. */
async function unrelatedIn(calls: ZypperCalls, wanted: ZypperInstallation, plan: ZypperPlan): Promise<readonly string[]> {
  const related = new Set<string>(namesOf(wanted));
  const locked = new Set<string>();
  for (;;) {
    for (const name of plan.changed.filter((other) => !related.has(other))) {
      if (await isNeeded(calls, { wanted, plan, locked }, name)) related.add(name);
    }
    const rest = plan.changed.filter((name) => !related.has(name));
    const more = rest.length === 0 ? [] : await lockedTo(calls.rpm.ask, rest, related);
    if (more.length === 0) return rest;
    for (const name of more) {
      locked.add(name);
      related.add(name);
    }
  }
}

function namesOf({ name, along }: ZypperInstallation): readonly string[] {
  return [name, ...along.map((one) => one.name)];
}

type Wanted = { readonly wanted: ZypperInstallation; readonly plan: ZypperPlan; readonly locked: ReadonlySet<string> };

/** Whether the wanted version, or a package locked to it, requires this one, directly or through others of the plan. */
async function isNeeded({ ask }: ZypperCalls, { wanted, plan, locked }: Wanted, name: string): Promise<boolean> {
  const others = new Set([...plan.added, ...plan.changed]);
  const reached = [name];
  // The list grows during the loop.
  for (const required of reached) {
    const requirers = parseFound((await ask(requirersArgs(required, wanted.aliases))).stdout);
    if (requirers.some((found) => (found.name === wanted.name && found.version === wanted.to) || locked.has(found.name)))
      return true;
    for (const { name: requirer } of requirers) {
      if (others.has(requirer) && requirer !== wanted.name && !reached.includes(requirer)) reached.push(requirer);
    }
  }
  return false;
}

function refused(wanted: ZypperInstallation, would: string): Fault {
  return refusedPlan(wanted, would, `sudo zypper ${typed(wanted).replace("install", "install --dry-run --details")}`);
}

/** The fault of a plan that changes nothing. zypper exits with success and gives the reason in a sentence. */
function nothingToDo(wanted: ZypperInstallation, output: string): Fault {
  const why = output.split("\n").find((line) => /lower version than|is already installed|is locked/.test(line));
  return new Fault("plan-refused", {
    message: `zypper finds nothing to do to install ${wanted.name} ${wanted.to}${why === undefined ? "" : `: ${quote(why, 240)}`}`,
    hint: `see what it says by hand: \`sudo zypper ${typed(wanted)}\``,
  });
}
