import { asFault } from "../../rules/fault/explain.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { PackageManager } from "../package/manager/manager.ts";
import type { Move } from "../plan/host-decision.ts";
import type { InstalledPackage } from "../plan/host-facts.ts";
import { overtakenBy } from "../plan/may-still-begin.ts";
import type { FinishedPass } from "../record/finished-pass.ts";
import { buildKept } from "../record/rejections.ts";
import type { KeptPackage, State, StepTime } from "../record/state.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import { carryOut, tellFailure, type EndedMove, type ToCarryOut } from "./carry-out.ts";
import type { Changing } from "./change.ts";
import { chooseOffer } from "./choose-offer.ts";
import { openJournal } from "./journal.ts";
import { atHand, keepPackages, versionsOf } from "./keep-packages.ts";
import { isLeftInHand } from "./left-in-hand.ts";
import type { Actors, Observers } from "./ports.ts";

export type ToApply = {
  readonly decision: Move;
  readonly settings: Settings;
  readonly installed: InstalledPackage;
  readonly manager: PackageManager;
  readonly ports: Observers & Actors;
};

export type Applied = Pick<FinishedPass, "installing" | "build" | "agentBefore"> & {
  readonly ended: EndedMove;
  readonly steps: readonly StepTime[];
  readonly kept: readonly KeptPackage[];
};

/**
 * Goes through the steps of a move. Writes each step down before it begins. If the pass is asked to stop, it begins no step up to the transaction.
 */
export async function apply(move: ToApply, state: State): Promise<Applied> {
  const { decision, settings, installed, manager, ports } = move;
  const begun = {
    pass: ports.passId,
    step: "refresh" as const,
    movement: decision.target.kind,
    why: decision.why,
    startedAt: ports.readClock().now,
    served: decision.target.to,
    channel: settings.channel,
    from: installed.packageVersion,
    to: undefined,
    agentBefore: undefined,
    changingSince: undefined,
    hold: "none" as const,
    cause: undefined,
    recoveries: 0,
    done: [],
  };
  const journal = openJournal(begun, state, ports);
  const changing = { settings, manager, ports, journal };
  const ended = await prepareAndCarryOut(move, changing);
  const { to: installing, agentBefore } = journal.inHand();
  const build = buildKept({ kept: journal.kept() }, installing);
  await dropRejected(ended, changing);
  return { ended, steps: journal.done(), installing, build, agentBefore, kept: journal.kept() };
}

async function prepareAndCarryOut(move: ToApply, changing: Changing): Promise<EndedMove> {
  const { journal, ports } = changing;
  try {
    const prepared = await prepare(move, changing);
    await refuseWhenOvertaken(move);
    const watch = await ports.acting.watchUnit();
    journal.note({ agentBefore: watch.before, changingSince: ports.readClock().now });
    return await carryOut({ ...prepared, installed: move.installed, watch }, changing);
  } catch (thrown) {
    const fault = asFault(thrown);
    if (isLeftInHand(fault, journal.inHand().step)) throw fault;
    return { kind: "failed", cause: tellFailure(fault, changing), back: undefined };
  }
}

/** Does everything that can be done, and refused, before anything changes. */
async function prepare(move: ToApply, changing: Changing): Promise<Pick<ToCarryOut, "to" | "from">> {
  const { decision, settings, installed, manager } = move;
  const { journal, ports } = changing;
  const { exactly } = decision;
  if (exactly !== undefined) {
    journal.note({ to: exactly });
    // A kept package, for a rollback or a repair, needs no repository.
    if (atHand(exactly, changing) !== undefined) return { to: exactly, from: "kept" };
    const why = ports.whyNotKept(exactly);
    if (why !== undefined) ports.log("warning", `${exactly} is not kept, and the repositories are asked for it: ${why}`, {});
  }
  await journal.begin("refresh", ports.acting.refresh);
  const to = await journal.begin("offer", () => chooseOffer(decision, settings, manager));
  journal.note({ to });
  await journal.begin("simulate", () => ports.acting.simulate(to));
  await journal.begin("keep", async () => {
    await ports.acting.bring(to);
    await keepPackages({ from: installed.packageVersion, to }, changing);
  });
  return { to, from: "offered" };
}

/** Checks that the decision still holds: lists, locks and downloads may have taken long. */
async function refuseWhenOvertaken({ decision, settings, ports }: ToApply): Promise<void> {
  const { hold, pin } = await ports.readOrders();
  const why = overtakenBy(decision, { hold, pin, pinBefore: settings.pin }, ports.readClock().now);
  if (why === undefined) return;
  throw new Fault("overtaken", { message: `nothing was changed: ${why}`, hint: "nothing to do: a later pass goes on" });
}

/** Drops the kept package of a version that failed here: nobody needs it again. */
async function dropRejected(ended: EndedMove, { journal, ports }: Changing): Promise<void> {
  if (ended.kind !== "undone") return;
  const kept = journal.kept().filter(({ packageVersion }) => packageVersion === ended.to);
  journal.note({ kept });
  await ports.acting.keepOnly(versionsOf(kept));
}
