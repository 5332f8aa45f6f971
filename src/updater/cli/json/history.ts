import type { Entry, MoveEntry, Recovery } from "../../record/history.ts";
import { moveReasons } from "../../plan/host-reasons.ts";
import { ofAnyRelease } from "../../../rules/shape/any-release.ts";
import { asWritten } from "../../../rules/shape/unknown-keys.ts";
import { always, answer, instant, line, list, recordOf, sometimes, told } from "../../../rules/shape/answer.ts";
import { count, words } from "../../../rules/shape/shape.ts";
import type { HistoryView } from "../../status/history.ts";
import { movementWords } from "./answer.ts";
import { fault } from "./fault.ts";
import { anyOutcome, recoveryKeys } from "./outcome.ts";
import { inHand } from "./status-memory.ts";

type Lost = Extract<Entry, { kind: "notice-lost" }>;

const repeated = {
  count: always("how many times in a row it was so", count, (of: MoveEntry | Lost) => of.count),
  first: sometimes("when the first of these began; left out where there was one", instant, (of: MoveEntry | Lost) => of.firstAt),
};

const recovery = recordOf<Recovery>()({
  pass: always("the pass that did it", line, "pass"),
  at: always("when", instant, "at"),
  ...recoveryKeys,
  fault: sometimes("why it could not be repaired", fault, "fault"),
});

const move = recordOf<MoveEntry>("one move, or one attempt; of several that were equal, the last")({
  id: always("the pass that decided it, as the log names it", line, "id"),
  at: always("when it began", instant, "at"),
  seconds: sometimes("how long that pass took; left out where it did not finish", count, "seconds"),
  channel: sometimes("the channel that it followed", line, "channel"),
  movement: always("in which direction", movementWords, (of) => asWritten(of, "movement")),
  why: always("the reason, for programs", words<string>(moveReasons), (of) => asWritten(of, "why")),
  from: sometimes("the version of the package that was installed; left out where there was none", line, "from"),
  version: always("the version that was moved to", line, "version"),
  to: sometimes("the version of its package; left out where the pass did not come so far", line, "to"),
  outcome: always("how it ended", anyOutcome, "outcome"),
  fault: sometimes("what ended it", fault, ({ outcome }) => ("fault" in outcome ? outcome.fault : undefined)),
  recovered: sometimes("what a later pass did about it, because it did not finish", recovery, "recovered"),
  ...repeated,
});

const lost = recordOf<Lost>("one of them")({
  at: always("when", instant, "at"),
  event: always("the event that could not be told", line, "event"),
  why: always("why it was not, for people", line, "why"),
  ...repeated,
});

export const historyAnswer = answer<HistoryView>("What was moved or tried on this host, and how it ended.")({
  moves: always("the last fifty, newest first", list(ofAnyRelease(move)), ({ entries }: HistoryView) =>
    entries.filter((one): one is MoveEntry => one.kind === "move"),
  ),
  lost: always("notices that nobody got, newest first", list(lost), ({ entries }: HistoryView) =>
    entries.filter((one): one is Lost => one.kind === "notice-lost"),
  ),
  step: sometimes("in hand where a pass is running, else where one did not finish", inHand, ({ step }: HistoryView) => step),
  unread: always(
    "what could not be seen, by this user or at all",
    list(told("a sentence, for people", line)),
    ({ unread }: HistoryView) => unread,
  ),
});
