import type { NotifyEvent } from "../../record/event.ts";
import type { Ended } from "../../record/notifications.ts";
import { always, answer, line, list, sometimes, told } from "../../../rules/shape/answer.ts";
import { truth } from "../../../rules/shape/shape.ts";

type Sent = { readonly event: Pick<NotifyEvent, "id">; readonly end: Ended; readonly lines: readonly string[] };

export const notifyAnswer = answer<Sent>("What became of a test event.")({
  id: always("the event's id, as notify.command was told", line, ({ event }: Sent) => event.id),
  delivered: always("whether the command ended with status 0", truth, ({ end }: Sent) => end.kind === "delivered"),
  why: sometimes("why it does not count as delivered, for people", line, ({ end }: Sent) =>
    end.kind === "failed" ? end.why : end.kind === "delivered" ? undefined : "nothing is known of its end",
  ),
  lines: always(
    "what the command printed last",
    list(told("a line, in which what looks like a secret is masked", line)),
    "lines",
  ),
});
