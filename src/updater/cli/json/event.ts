import { encode } from "../../../rules/shape/write.ts";
import { moveReasons } from "../../plan/host-reasons.ts";
import { eventKinds, type NotifyEvent } from "../../record/event.ts";
import { always, answer, instant, line, recordOf, sometimes } from "../../../rules/shape/answer.ts";
import { count, words } from "../../../rules/shape/shape.ts";
import { movements } from "./answer.ts";
import { fault } from "./fault.ts";

type Move = NonNullable<NotifyEvent["move"]>;

const move = recordOf<Move>()({
  kind: always("in which direction", words(movements), "kind"),
  why: sometimes("why it began, for programs", words(moveReasons), "why"),
  from: sometimes("the package before; left out if nothing was installed", line, "from"),
  to: always("where it went, or was to go", line, "to"),
  seconds: sometimes("how long the pass took", count, "seconds"),
});

/** The line that `notify.command` reads on its standard input. */
export const eventAnswer = answer<NotifyEvent>("What notify.command is told of one event, on its standard input.")({
  id: always("the same however often the event is sent: what has come already can be dropped", line, "id"),
  kind: always("what has happened", words(eventKinds), "kind"),
  at: always("when", instant, "at"),
  host: always("the host's name", line, "host"),
  told: always("what has happened, in a sentence for people; the words may change", line, "told"),
  next: sometimes("what to type or to do next, for people", line, "next"),
  package: always("the agent's package", line, "package"),
  channel: sometimes("the channel that the agent follows", line, "channel"),
  move: sometimes("the move that it is about", move, "move"),
  fault: sometimes("what went wrong", fault, ({ fault: found }) => found && { ...found, causes: [] }),
});

export function writeEvent(event: NotifyEvent): string {
  return JSON.stringify(encode(eventAnswer, event));
}
