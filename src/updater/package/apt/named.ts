import { databaseBelow, inspectAllArgv, inspectArgv } from "./database.ts";
import type { InstalledPackage } from "../../plan/host-facts.ts";
import { parsePackageName } from "../../../rules/settings/read-text.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { Change } from "../manager/manager.ts";
import type { Ended } from "../call/result.ts";
import { askPolicy } from "./ask-policy.ts";
import { compareArgv, explainedArgv, simulateArgv, type NamedVersion } from "./argv.ts";
import { complaintsIn, type Complaint } from "./complaints.ts";
import type { AptCalls } from "./calls.ts";
import { installedAmong, installedFrom } from "./installed.ts";
import { parsePlan } from "./plan.ts";
import { offersOf } from "./policy.ts";

type Asking = Pick<AptCalls, "ask" | "root">;

/** The most rounds. Each names what the last one complained about; no set of packages is nested deeper. */
const mostRounds = 20;

/** apt's plan, and the packages besides the wanted one that had to be named for it. */
export type Rehearsed = { readonly ended: Ended; readonly named: readonly NamedVersion[] };

/**
 * Plans a change. apt chooses the newest version of every package that is not named. If the wanted version needs another one, or a companion is
 * broken, this names what apt complains about, until apt has a plan. If that fails, apt's first output counts.
 */
export async function rehearseNamed(calls: Asking, change: Change): Promise<Rehearsed> {
  const named = change.direction === "same" ? await halfWay(calls, change) : [];
  const first = { ended: await calls.ask(simulateArgv(change, named)), named };
  return isPlanned(first.ended) ? first : ((await nameUntilPlanned(calls, change, named)) ?? first);
}

async function nameUntilPlanned(calls: Asking, change: Change, from: readonly NamedVersion[]): Promise<Rehearsed | undefined> {
  let named = from;
  for (let round = 1; round <= mostRounds; round += 1) {
    const ended = await calls.ask(explainedArgv(change, named));
    const complained = await missing(calls, change, { complaints: complaintsIn(ended.output), named });
    const more = [...complained, ...(await locked(calls, change, { removed: removedIn(ended), named }))];
    // apt has a plan, or complains about nothing that could be named.
    if (more.length === 0) return ended.status === 0 ? { ended, named } : undefined;
    named = [...named, ...more];
  }
  return undefined;
}

/** Prefers a plan without removals. One with removals counts only if no other exists. */
function isPlanned(ended: Ended): boolean {
  return ended.status === 0 && removedIn(ended).length === 0;
}

function removedIn({ status, stdout }: Ended): readonly string[] {
  return status === 0 ? parsePlan(stdout).removed : [];
}

type Removing = { readonly removed: readonly string[]; readonly named: readonly NamedVersion[] };

/** Packages that the plan removes because they are locked to the old version. If the new version is offered for them, they can move along. */
async function locked(calls: Asking, change: Change, { removed, named }: Removing): Promise<readonly NamedVersion[]> {
  const more: NamedVersion[] = [];
  for (const found of removed) {
    const name = parsePackageName(found);
    if (name === undefined || named.some((one) => one.name === found)) continue;
    const offers = offersOf(await askPolicy(calls, name));
    if (offers.includes(change.to)) more.push({ name: found, version: change.to });
  }
  return more;
}

async function halfWay({ ask, root }: Asking, { beside }: Change): Promise<readonly NamedVersion[]> {
  if (beside.length === 0) return [];
  const found = installedAmong(await ask(inspectAllArgv(beside, databaseBelow(root))), beside);
  return beside.flatMap((name, at) => {
    const one = found[at];
    return one?.kind === "present" && one.condition === "half-way" ? [{ name, version: one.packageVersion }] : [];
  });
}

type Known = { readonly complaints: readonly Complaint[]; readonly named: readonly NamedVersion[] };

async function missing(calls: Asking, change: Change, { complaints, named }: Known): Promise<readonly NamedVersion[]> {
  const settled = new Set([change.name as string, ...named.map(({ name }) => name)]);
  const more = new Map<string, NamedVersion>();
  for (const { requirer, kind, name, relation } of complaints) {
    // A package that was already named stays, so the other one has to give way.
    const isOther = kind === "excludes" || settled.has(name);
    const wanted = isOther ? requirer : name;
    if (settled.has(wanted) || more.has(wanted)) continue;
    const version = await choose(calls, change, { name: wanted, relation: isOther ? undefined : relation });
    if (version !== undefined) more.set(wanted, { name: wanted, version });
  }
  return [...more.values()];
}

type Wanted = { readonly name: string; readonly relation: Complaint["relation"] };

/** Chooses a version: the agent's if possible, because packages of one source share their number; otherwise the next lower one. */
async function choose(calls: Asking, change: Change, { name: found, relation }: Wanted): Promise<string | undefined> {
  const name = parsePackageName(found);
  if (name === undefined) return undefined;
  const offers = offersOf(await askPolicy(calls, name));
  const installed = await inspect(calls, name);
  const suitable: string[] = [];
  for (const offer of offers) {
    if (relation === undefined || (await holds(calls, offer, relation))) suitable.push(offer);
  }
  if (suitable.includes(change.to)) return change.to;
  if (installed.kind === "absent" || relation?.order === "=") return suitable[0];
  for (const offer of suitable) {
    if (await holds(calls, offer, { order: "<<", version: installed.packageVersion })) return offer;
  }
  return undefined;
}

async function inspect({ ask, root }: Asking, name: PackageName): Promise<InstalledPackage> {
  return installedFrom(await ask(inspectArgv(name, databaseBelow(root))), name);
}

async function holds({ ask }: Asking, left: string, { order, version }: NonNullable<Complaint["relation"]>): Promise<boolean> {
  return (await ask(compareArgv(left, order, version))).status === 0;
}
