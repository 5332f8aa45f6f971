import { faultData } from "../../rules/fault/explain.ts";
import type { Fault } from "../../rules/fault/fault.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { FinishedPass } from "../record/finished-pass.ts";
import { addMove, addRecovery, brokenOff, movesOf, withPasses } from "../record/history.ts";
import type { PassRecord, Recovered, State, StepInHand } from "../record/state.ts";
import { openHistory, type HistoryPlace } from "../store/history-file.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Actors, Observers } from "./ports.ts";

/**
 * Writes a pass's moves into the history, always before the state that says how they ended. If the pass is cut off in between, its step is
 * unfinished: the next pass ends it, and finds the move by the first pass's id.
 */

type Keeping = Pick<Actors, "changeHistory">;
type Known = Pick<State, "passes">;

/** Records the move of a pass that has ended. */
export function leaveMove(
  { record, facts: { installed }, installing }: Pick<FinishedPass, "record" | "facts" | "installing">,
  { passes }: Known,
  { changeHistory }: Keeping,
): Promise<void> {
  const moves = movesOf(record, { from: installed.packageVersion, to: installing });
  return changeHistory((history) => moves.reduce(addMove, withPasses(history, passes)));
}

type Ended = { readonly recovered: Recovered; readonly failure?: Fault | undefined };

/** Records that an earlier pass's move has been ended. */
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

/** Records a move whose pass ended with a fault. The next pass finds its step and continues. */
export function leaveBrokenOff(
  begun: StepInHand,
  { outcome }: Pick<PassRecord, "outcome">,
  { paths, log, readNow }: Place,
): void {
  openHistory(paths, { log, readNow })((history) => addMove(history, brokenOff(begun, outcome)));
}

type Place = { readonly paths: HistoryPlace; readonly log: Log; readonly readNow: () => UnixSeconds };
