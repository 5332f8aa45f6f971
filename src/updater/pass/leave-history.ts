import { faultData } from "../../rules/fault/explain.ts";
import type { Fault } from "../../rules/fault/fault.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { FinishedPass } from "../record/finished-pass.ts";
import { addMove, addRecovery, brokenOff, movesOf, withPasses } from "../record/history.ts";
import type { PassRecord, Recovered, State, StepInHand } from "../record/state.ts";
import { openHistory, type HistoryPlace } from "../store/history-file.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Actors, Observers } from "./ports.ts";

/*
 * What a pass leaves in the history, always before the state that says how it ended. Cut off between the two, it left its step in hand:
 * the next pass ends that, and finds the move here by the id of the pass that began it.
 */

type Keeping = Pick<Actors, "changeHistory">;
type Known = Pick<State, "passes">;

/** A pass that decided to move has come to its end. */
export function leaveMove(
  { record, facts: { installed }, installing }: Pick<FinishedPass, "record" | "facts" | "installing">,
  { passes }: Known,
  { changeHistory }: Keeping,
): Promise<void> {
  const moves = movesOf(record, { from: installed.packageVersion, to: installing });
  return changeHistory((history) => moves.reduce(addMove, withPasses(history, passes)));
}

type Ended = { readonly recovered: Recovered; readonly failure?: Fault | undefined };

/** What an earlier pass had begun is brought to its end. */
export function leaveRecovery(
  begun: StepInHand,
  { recovered: { step, ended }, failure }: Ended,
  {
    state: { passes },
    ports,
  }: { readonly state: Known; readonly ports: Keeping & Pick<Observers & Actors, "passId" | "readClock"> },
): Promise<void> {
  const { passId: pass, readClock, changeHistory } = ports;
  const fault = failure === undefined ? {} : { fault: faultData(failure) };
  const recovery = { pass, at: readClock().now, step, ended, ...fault };
  return changeHistory((history) => addRecovery(withPasses(history, passes), begun, recovery));
}

/** A fault broke the pass off with a move in hand, which stays there for the next one. */
export function leaveBrokenOff(
  begun: StepInHand,
  { outcome }: Pick<PassRecord, "outcome">,
  { paths, log, readNow }: Place,
): void {
  openHistory(paths, { log, readNow })((history) => addMove(history, brokenOff(begun, outcome)));
}

type Place = { readonly paths: HistoryPlace; readonly log: Log; readonly readNow: () => UnixSeconds };
