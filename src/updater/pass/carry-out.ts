import { faultData } from "../../rules/fault/explain.ts";
import type { Fault } from "../../rules/fault/fault.ts";
import { isOfScript } from "../package/failure/interrupted.ts";
import { whyNoRollback } from "../plan/decide-rollback.ts";
import type { Side } from "../plan/companion.ts";
import { isWholeAt } from "../plan/unfinished-move.ts";
import type { InstalledPackage } from "../plan/host-facts.ts";
import type { Cause, NoRollback } from "../record/state.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import { holdOver, type Changing } from "./change.ts";
import { companionsFound } from "./companions.ts";
import { faultToJudge } from "./left-in-hand.ts";
import type { Installation, UnitWatch } from "./ports.ts";
import { tellFault, tellNoRollback, tellUndone } from "../sentences/decision.ts";
import { verify } from "./verify.ts";
import { goBack } from "./carry-out-rollback.ts";

export type EndedMove =
  | { readonly kind: "moved"; readonly to: PackageVersion; readonly activation: string }
  | { readonly kind: "undone"; readonly cause: Cause; readonly left: string; readonly to: PackageVersion }
  | { readonly kind: "failed"; readonly cause: Cause; readonly back: NoRollback | undefined };

/** A change of the installed package, and the agent's unit around it. */
export type ToCarryOut = Pick<Installation, "to" | "from"> & {
  readonly installed: InstalledPackage;
  readonly watch: UnitWatch;
};

/** Runs the transaction, then proves that the agent is well or rolls back. */
export async function carryOut({ to, from, installed, watch }: ToCarryOut, changing: Changing): Promise<EndedMove> {
  const { settings, journal, ports } = changing;
  // Notes that the hold is lifted, so that the pass which ends this change restores it: a killed package manager cannot.
  if (holdOver(installed, settings) === "lifted") journal.note({ hold: "lifted" });
  try {
    const { why } = journal.inHand();
    await journal.begin("install", () => ports.acting.install({ to, from, why }));
  } catch (thrown) {
    if (journal.inHand().step !== "install") throw thrown;
    const fault = await faultToJudge(thrown, changing);
    // A killed package manager may have finished its work before.
    const isDone = fault.code === "interrupted" && !isOfScript(fault) && (await isThere("to", changing));
    if (!isDone) return installFailed(fault, watch, changing);
  }
  return prove(to, watch, changing);
}

/** The steps of a move after the package is installed. */
export async function prove(to: PackageVersion, watch: UnitWatch, changing: Changing): Promise<EndedMove> {
  const { journal } = changing;
  try {
    await journal.finish("verify", () => verify(to, "to", changing));
    const activation = await journal.finish("activate", watch.activate);
    await journal.finish("health", watch.proveHealth);
    return { kind: "moved", to, activation };
  } catch (thrown) {
    return takeBack(await causeOf(await faultToJudge(thrown, changing), watch, changing), changing);
  }
}

/** Judges a failed installation. Nothing needs a rollback if the package manager refused at once or restored the old files itself. */
async function installFailed(fault: Fault, watch: UnitWatch, changing: Changing): Promise<EndedMove> {
  const cause = await causeOf(fault, watch, changing);
  if (!(await isThere("from", changing))) return takeBack(cause, changing);
  await bringUpAgain(watch, changing);
  return { kind: "failed", cause, back: undefined };
}

/** Whether one side of the move is fully installed. False if the database cannot be read: it was whole before, so the move broke it. */
async function isThere(side: Side, { journal, manager, settings, ports }: Changing): Promise<boolean> {
  try {
    const [installed, companions, binary] = await Promise.all([
      manager.inspect(settings.agent.package),
      companionsFound({ manager, ports }),
      // Does not ask the new binary: it is verified next.
      side === "to" ? ({ kind: "not-asked" } as const) : ports.askBinary(),
    ]);
    return isWholeAt(side, { ...journal.inHand(), installed, companions, binary });
  } catch {
    return false;
  }
}

/** Brings the agent up again, which a broken transaction may have stopped. */
export async function bringUpAgain(watch: UnitWatch, { ports }: Pick<Changing, "ports">): Promise<void> {
  const wasUp = watch.before === "running" || watch.before === "unhealthy";
  if (!wasUp || (await ports.watchAgent(undefined)) === "running") return;
  ports.log("notice", await watch.activate(), {});
}

async function takeBack(cause: Cause, changing: Changing): Promise<EndedMove> {
  const { journal, ports, settings } = changing;
  const back = reasonAgainst(cause, changing) ?? (await goBackFor(cause, changing));
  const name = settings.agent.package;
  if (back.kind === "back") {
    const { to, activation } = back;
    const left = journal.inHand().to ?? "a failed move";
    const told = tellUndone({ name, from: left, to, activation });
    ports.log(told.level, told.sentence, told.fields);
    return { kind: "undone", cause, left, to };
  }
  const told = tellNoRollback(back, cause.fault.code);
  ports.log(told.level, told.sentence, told.fields);
  return { kind: "failed", cause, back };
}

function goBackFor(cause: Cause, changing: Changing): ReturnType<typeof goBack> {
  changing.journal.note({ cause });
  return goBack(changing);
}

function reasonAgainst({ step, fault }: Cause, { journal }: Changing): NoRollback | undefined {
  const { movement, why: reason, agentBefore } = journal.inHand();
  const why = whyNoRollback({ movement, reason, agentBefore, code: fault.code, isWhole: step !== "install" });
  return why === undefined ? undefined : { kind: "not-tried", why };
}

async function causeOf(fault: Fault, watch: UnitWatch, changing: Changing): Promise<Cause> {
  const cause = tellFailure(fault, changing);
  // If the package database is wrong, the agent's lines do not explain it.
  return cause.step === "verify" ? cause : { ...cause, evidence: await watch.lastLines() };
}

/** Logs the failure of the current step. */
export function tellFailure(fault: Fault, { journal, ports }: Pick<Changing, "journal" | "ports">): Cause {
  const { step } = journal.inHand();
  const data = faultData(fault);
  const told = tellFault(data);
  ports.log(told.level, told.sentence, { ...told.fields, step });
  tellBug(fault, ports);
  return { step, fault: data, evidence: [] };
}

export function tellBug({ code, cause }: Fault, { log }: Pick<Changing["ports"], "log">): void {
  if (code === "bug" && cause instanceof Error) log("debug", "the bug's stack", { stack: cause.stack });
}
