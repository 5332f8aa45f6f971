import { Fault } from "../../../rules/fault/fault.ts";
import type { InstalledPackage } from "../../plan/host-facts.ts";
import { isOfScript } from "../failure/interrupted.ts";
import type { Change, Planned } from "../manager/manager.ts";
import type { Ended } from "../call/result.ts";
import { halfWayIn } from "../rpm/half-way.ts";
import { makeWay, strikeOut } from "../rpm/make-way.ts";
import { installArgs } from "./argv.ts";
import type { ZypperArguments, ToldCall, ZypperCalls } from "./calls.ts";
import { isRpmLocked, zypperFault } from "./failure.ts";
import { simulate, typed, unheldBy } from "./simulate.ts";
import { whenFree } from "../call/patience.ts";
import { namingHolder } from "../failure/failure.ts";

/** Statuses of a complete installation. 102: the machine should be restarted. 103: zypper should be called again for more. */
const done: readonly number[] = [0, 102, 103];
/** A repository was left out; the package may or may not have come from it. */
const withoutRepository = 106;
/** The package is in place, but its script failed. */
const scriptFailed = 107;

export async function install(calls: ZypperCalls, change: Change, planned: readonly Planned[]): Promise<void> {
  const along = await halfWayIn(planned, calls.rpm, change);
  // With force, zypper removes one of two versions of the agent's package, but leaves two of another package.
  for (const one of planned.filter(({ name }) => name !== change.name)) {
    const isAlong = along.some(({ name }) => name === one.name);
    await (isAlong ? strikeOut(calls.rpm, one.name) : makeWay(calls.rpm, one));
  }
  // zypper has no option against removals, so check the plan again right before the installation.
  const installation = await simulate(calls, change, along);
  const what = typed(installation);
  const ended = await actWhenFree(calls, installArgs(installation), { what, unheld: unheldBy(change) });
  if (done.includes(ended.status)) return;
  const found = await calls.inspect(change.name);
  if (ended.status === withoutRepository && isAt(found, change)) return;
  const fault = zypperFault(ended, what);
  if (ended.status !== scriptFailed) throw fault;
  throw new Fault(fault.code, {
    message: `${fault.message}; ${whatIsThere(found, change)}`,
    hint: fault.hint,
    cause: isOfScript(fault) ? fault.cause : fault,
  });
}

function actWhenFree(calls: ZypperCalls, args: ZypperArguments, told: ToldCall): Promise<Ended> {
  return whenFree(calls.patience, async () => {
    const ended = await calls.act(args, told);
    if (!isRpmLocked(ended)) return { kind: "done", value: ended };
    return { kind: "busy", busy: () => namingHolder(zypperFault(ended, told.what), calls.rpmHolder(), "zypper") };
  });
}

function isAt(found: InstalledPackage, { to }: Change): boolean {
  return found.kind === "present" && found.packageVersion === to && found.condition === "whole";
}

function whatIsThere(found: InstalledPackage, { name }: Change): string {
  return found.kind === "present" ? `${name} ${found.packageVersion} is installed all the same` : `${name} is not installed`;
}
