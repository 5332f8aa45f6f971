import { Fault } from "../../rules/fault/fault.ts";
import type { Change } from "../package/manager/manager.ts";
import type { MoveReason } from "../plan/host-decision.ts";
import type { InstalledPackage } from "../plan/host-facts.ts";
import { refusalOf } from "../plan/refusal-of-change.ts";
import type { Policy } from "../plan/host-policy.ts";
import { exchangedIn, type Ledger, type OpenMove } from "../record/ledger.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import type { Schedule } from "../../rules/window/schedule.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { daySeconds } from "../../rules/window/seconds.ts";

/** What decides about the first change of a move. Each value is read only when it is needed. */
export type Gates = {
  readonly policy: () => Promise<Policy>;
  readonly schedule: () => Promise<Schedule>;
  readonly now: () => UnixSeconds;
};

export type AskedFor = { readonly pass: string; readonly why: MoveReason; readonly change: Change };
export type Known = { readonly ledger: Ledger; readonly installed: InstalledPackage };

/** `is`: whether the change begins a move or belongs to the open one. */
export type Permitted = { readonly is: "new" | "open"; readonly ledger: Ledger };

/** More than the unfinished passes of a day and their repairs ever need. */
const mostUngated = 100;

/** Returns the ledger to write before the change. Throws if the change is refused. */
export async function permit({ pass, why, change }: AskedFor, known: Known, gates: Gates): Promise<Permitted> {
  const { ledger, installed } = known;
  const { move } = ledger;
  const { to, name, hold } = change;
  if (move !== undefined && move.name === name && (to === move.to || to === move.from)) {
    const held = hold === "lifted" ? hold : move.hold;
    return { is: "open", ledger: { ...counted(ledger, gates.now()), move: { ...move, hold: held } } };
  }
  const before = settled(ledger, installed);
  const [policy, schedule] = await Promise.all([gates.policy(), gates.schedule()]);
  const now = gates.now();
  const refusal = refusalOf({ to, why, installed, schedule, now, previous: before.previous }, policy);
  if (refusal !== undefined) throw refused(to, refusal);
  const opened: OpenMove = { pass, name, from: installed.packageVersion, to, why, since: now, hold, companions: [] };
  return { is: "new", ledger: { ...before, move: opened } };
}

/** Counts one more change that no gate has judged. Too many would move the agent to and fro. */
export function counted(ledger: Ledger, now: UnixSeconds): Ledger {
  const { ungated } = ledger;
  const isOfToday = ungated !== undefined && ungated.since <= now && now < ungated.since + daySeconds;
  const since = isOfToday ? ungated.since : now;
  const count = (isOfToday ? ungated.count : 0) + 1;
  if (count > mostUngated) throw tooOften();
  return { ...ledger, ungated: { since, count } };
}

/** Closes the open move. If its package is installed, the next rollback goes to the version before it. */
export function settled(ledger: Ledger, installed: InstalledPackage | undefined): Ledger {
  const { move } = ledger;
  if (move === undefined) return ledger;
  const isInPlace = installed?.packageVersion === move.to && move.from !== move.to;
  const alongside = isInPlace ? move.companions.map(({ name }) => name) : exchangedIn(move);
  const beside = move.from === move.to ? ledger.beside : alongside;
  return { ...ledger, move: undefined, beside, previous: isInPlace ? move.from : ledger.previous };
}

function refused(to: PackageVersion, why: string): Fault {
  return new Fault("overtaken", {
    message: `nothing was changed: svc-upgrade-act.service does not install ${to}: ${why}`,
    hint: "nothing to do: a later pass goes on",
  });
}

function tooOften(): Fault {
  return new Fault("interrupted", {
    message: `svc-upgrade-act.service does no more today: moves were gone on with, or taken back, ${mostUngated} times within a day`,
    hint: "find out why the installed version changes again and again: `svc-upgrade status`, `journalctl -u svc-upgrade`; then `svc-upgrade retry`",
  });
}
