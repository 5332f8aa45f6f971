import { asFault } from "../../rules/fault/explain.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { isReadOnlyBothWays } from "../plan/decide-rollback.ts";
import { recoveryOf, type Recovery } from "../plan/unfinished-move.ts";
import { couldBegin } from "../plan/may-still-begin.ts";
import { rememberRecovery } from "../record/remember-recovery.ts";
import type { Recovered, State, StepInHand, StepTime } from "../record/state.ts";
import { doingIn } from "../record/steps.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import { bringUpAgain, carryOut, prove, type EndedMove } from "./carry-out.ts";
import { watchOn, type Changing } from "./change.ts";
import { companionsFound } from "./companions.ts";
import { openJournal } from "./journal.ts";
import { atHand } from "./keep-packages.ts";
import { leaveRecovery } from "./leave-history.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Actors, Observers } from "./ports.ts";
import { settle } from "./settle.ts";
import { finishBack, restore, type WentBack } from "./carry-out-rollback.ts";

/** The state of a pass that was cut off. */
export type Unfinished = State & { readonly step: StepInHand };

/** Brings an unfinished move from our journal to its end, with the network or without. */
export type Recovering = {
  readonly state: State;
  readonly recovered: Recovered | undefined;
  readonly steps: readonly StepTime[];
};

export async function recover(state: Unfinished, settings: Settings, ports: Observers & Actors): Promise<Recovering> {
  const { step: begun } = state;
  ports.log("warning", `the previous pass did not finish: it was ${doingIn[begun.step](begun.served)}`, {
    pass: begun.pass,
  });
  // A download or a refresh also outlives its pass, and would block the next one.
  const { changingSince } = begun;
  await ports.acting.awaitTransaction(changingSince === undefined ? "a-minute" : "until-stopped");
  if (changingSince === undefined) {
    const recovered: Recovered = { step: begun.step, served: begun.served, ended: "unchanged" };
    const cleared = { ...state, step: undefined, recovered };
    await leaveRecovery(begun, { recovered }, { state, ports });
    ports.saveState(cleared);
    return { state: cleared, recovered, steps: [] };
  }
  return endIt(state, { ...begun, changingSince, recoveries: begun.recoveries + 1, done: [] }, { settings, ports });
}

type Around = Pick<Changing, "settings" | "ports">;
type ChangeInHand = StepInHand & { readonly changingSince: UnixSeconds };

async function endIt(state: Unfinished, begun: ChangeInHand, { settings, ports }: Around): Promise<Recovering> {
  ports.saveState({ ...state, step: begun });
  const { manager } = await ports.findManager();
  const journal = openJournal(begun, state, ports);
  const changing = { settings, manager, ports, journal };
  // A package's scripts may take the host down. So the second recovery skips this repair, and installs over the package.
  if (begun.recoveries === 1) await ports.acting.mend();
  const recovery = await chooseRecovery(begun, changing);
  ports.log("notice", tellRecovery(recovery, begun), {});
  const { ended, failure } = await followAsFarAsAllowed(recovery, begun, changing);
  if (begun.hold === "lifted") await ports.acting.holdAgain();
  const recovered: Recovered = { step: begun.step, served: begun.served, ended };
  const known = { ...state, kept: journal.kept(), step: undefined };
  const { cause } = journal.inHand();
  const remembered = rememberRecovery(known, begun, { recovered, cause, failure, now: ports.readClock().now });
  await leaveRecovery(state.step, { recovered, failure }, { state, ports });
  if (failure !== undefined) {
    ports.saveState(remembered);
    throw failure;
  }
  const untold = { ...remembered, recovered };
  ports.saveState(untold);
  // Settles this move, because the next one of this pass is another.
  await settle(ports);
  return { state: untold, recovered, steps: journal.done() };
}

async function chooseRecovery(begun: StepInHand, changing: Changing): Promise<Recovery> {
  const { settings, manager, ports, journal } = changing;
  const [installed, companions, binary, schedule, { hold, pin }] = await Promise.all([
    manager.inspect(settings.agent.package),
    companionsFound(changing),
    ports.askBinary(),
    ports.readSchedule(),
    ports.readOrders(),
  ]);
  const cutOff = { to: begun.served, why: begun.why, schedule, now: ports.readClock().now };
  return recoveryOf({
    course: begun.cause === undefined ? "forth" : "back",
    from: begun.from,
    to: begun.to,
    installed,
    companions,
    binary,
    atHand: journal
      .kept()
      .map(({ packageVersion }) => packageVersion)
      .filter((version) => atHand(version, changing) !== undefined),
    forthIs: couldBegin(cutOff, { hold, pin, window: settings.window }) ? "allowed" : "not allowed",
    recoveries: begun.recoveries,
  });
}

type Followed = { readonly ended: Recovered["ended"]; readonly failure?: Fault | undefined };

/**
 * Ends the move. If the acting side has no open move, it applies its gates again and may refuse. A later pass then repairs the package when they
 * open.
 */
async function followAsFarAsAllowed(recovery: Recovery, begun: ChangeInHand, changing: Changing): Promise<Followed> {
  try {
    return await follow(recovery, begun, changing);
  } catch (thrown) {
    if (asFault(thrown).code === "overtaken") return { ended: "not-mended" };
    throw thrown;
  }
}

async function follow(recovery: Recovery, begun: ChangeInHand, changing: Changing): Promise<Followed> {
  const { manager, settings } = changing;
  const since = begun.changingSince;
  switch (recovery.kind) {
    case "leave":
      // The usual gates will repair the package as soon as a repository can be reached.
      return recovery.needs === "a repository" ? { ended: "not-mended" } : notMended(recovery.why, []);
    case "unchanged":
      await bringUpAgain(await watchOn(since, changing), changing);
      return { ended: "unchanged" };
    case "finish": {
      if (recovery.course === "back") return afterBack(await finishBack(recovery.version, since, changing), begun);
      return afterForth(await prove(recovery.version, await watchOn(since, changing), changing));
    }
    case "install": {
      if (recovery.course === "back") return afterBack(await restore(recovery.version, changing), begun);
      const installed = await manager.inspect(settings.agent.package);
      const watch = await watchOn(since, changing);
      return afterForth(await carryOut({ to: recovery.version, from: "kept", installed, watch }, changing));
    }
  }
}

function afterForth(ended: EndedMove): Followed {
  switch (ended.kind) {
    case "moved":
      return { ended: "finished" };
    case "undone":
      return { ended: "undone" };
    case "failed": {
      const { fault, step } = ended.cause;
      // The package is installed; the agent was ill before and still is.
      if (ended.back?.kind === "failed" && isReadOnlyBothWays(fault.code, ended.back.fault.code)) return { ended: "not-mended" };
      if (ended.back?.kind === "not-tried" && (step === "activate" || step === "health")) return { ended: "finished" };
      return notMended(`the step ${step} failed: ${fault.message}`, fault.causes);
    }
  }
}

function afterBack(went: WentBack, { cause }: StepInHand): Followed {
  switch (went.kind) {
    case "back":
      return { ended: "undone" };
    case "failed":
      // The usual gates will repair the package as soon as the file system is writable.
      if (isReadOnlyBothWays(cause?.fault.code ?? went.fault.code, went.fault.code)) return { ended: "not-mended" };
      return notMended(`the rollback failed at the step ${went.step}: ${went.fault.message}`, went.fault.causes);
  }
}

function notMended(why: string, causes: readonly string[]): Followed {
  const failure = new Fault("way-back-failed", {
    message: `what an unfinished pass left could not be repaired: ${why}`,
    hint: "repair the agent's package by hand, then `svc-upgrade retry`",
    cause: causes.length === 0 ? undefined : new Error(causes.join("; ")),
  });
  return { ended: "not-mended", failure };
}

function tellRecovery(recovery: Recovery, { from }: StepInHand): string {
  switch (recovery.kind) {
    case "unchanged":
      return `${from ?? "the host"} is as it was`;
    case "finish":
      return `${recovery.version} is in place${recovery.course === "forth" ? "" : " again"}; going on from there`;
    case "install":
      return `the package is half installed; going ${recovery.course === "forth" ? "on" : "back"} to ${recovery.version}`;
    case "leave":
      return `the package is half installed: ${recovery.why}`;
  }
}
