import type { Paths } from "../../machine/files/paths.ts";
import { movesOf, withPasses, type Entry } from "../record/history.ts";
import { emptyState, type PassRecord, type StepInHand } from "../record/state.ts";
import { withLines } from "../store/evidence.ts";
import { readHistory } from "../store/history-file.ts";
import { readState } from "../store/state-file.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { runningAlone } from "./look.ts";
import { takeNotes } from "./notes.ts";

/** The moves and attempts of this host, and the passes since. */
export type HistoryView = {
  readonly now: UnixSeconds;
  readonly root: string;
  /** The entries, newest first. */
  readonly entries: readonly Entry[];
  /** A step that began and did not end: its pass still runs, or was cut off. */
  readonly step: StepInHand | undefined;
  readonly isRunning: boolean;
  /** The passes since the last move that the state remembers, newest first. */
  readonly since: readonly PassRecord[];
  /** What could not be seen. */
  readonly unread: readonly string[];
};

/** Looks at the history, and changes nothing. Reports one that cannot be read, and shows the moves of remembered passes anyway. */
export async function lookBack(paths: Paths, { now, isUnitRunning }: Looking): Promise<HistoryView> {
  const notes = takeNotes();
  const reading = readHistory(paths);
  const state = readState(paths);
  const { passes, step } = state.kind === "state" ? state.state : emptyState;
  for (const line of unreadIn(reading, paths)) notes.add(line);
  if (state.kind !== "state") notes.add(`what earlier passes left cannot be read: ${paths.state}`);
  const known = reading.kind === "history" ? reading.history : { entries: [] };
  const { entries } = withPasses(known, passes);
  const last = passes.findIndex((pass) => movesOf(pass).length > 0);
  return {
    now,
    root: paths.root,
    entries: entries.map((one) => (one.kind === "move" ? { ...one, outcome: withLines(one.outcome, paths) } : one)),
    step,
    // Asks systemd too, because some users may not read who holds the lock.
    isRunning: step !== undefined && (runningAlone(paths) !== undefined || (await notes.attempt(isUnitRunning())) === true),
    since: last === -1 ? passes : passes.slice(0, last),
    unread: notes.lines,
  };
}

type Looking = { readonly now: UnixSeconds; readonly isUnitRunning: () => Promise<boolean> };

function unreadIn(reading: ReturnType<typeof readHistory>, { history: path }: Paths): readonly string[] {
  switch (reading.kind) {
    case "history":
      return [];
    case "denied":
      return [`the history may not be read by this user: ${path}`];
    case "unreadable":
      return [`the history cannot be read (${reading.why}), and the next move begins another one: ${path}`];
  }
}
