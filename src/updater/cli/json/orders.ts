import type { Hold, Pin } from "../../../rules/decide/gate-policy.ts";
import { always, answer, instant, line, recordOf, sometimes, list, told } from "../../../rules/shape/answer.ts";
import { truth } from "../../../rules/shape/shape.ts";
import type { Next } from "../../status/next.ts";
import { next, nextWhat } from "./status.ts";
import type { NotifyEvent } from "../../record/event.ts";
import type { Ended } from "../../record/notifications.ts";

const hold = recordOf<Hold>()({
  until: sometimes("its end; left out: until unhold", instant, "until"),
  reason: sometimes("why, as it was given", line, "reason"),
});

export const holdAnswer = answer<Hold>("The hold that is in force now.")({
  hold: always("nothing moves while it lasts", hold, (asked) => asked),
});

export const unholdAnswer = answer<boolean>("That no hold is in force any more.")({
  ended: always("whether there was one to end", truth, (isRemoved) => isRemoved),
});

type Following = { readonly next: Next };

const nextKey = always(nextWhat, next, (following: Following) => following.next);

const pin = recordOf<Pin>()({
  version: always("the version", line, "version"),
  reason: sometimes("why, as it was given", line, "reason"),
});

export const pinAnswer = answer<Following & { readonly pin: Pin }>("The pin that is in force now.")({
  pin: always("where passes move to, and stay, whatever the channel serves", pin, "pin"),
  next: nextKey,
});

export const unpinAnswer = answer<Following & { readonly isRemoved: boolean }>("That no version is pinned any more.")({
  ended: always("whether there was a pin to take away", truth, "isRemoved"),
  next: nextKey,
});

export const retryAnswer = answer<readonly string[]>("What was forgotten, so that the next pass tries again.")({
  cleared: always(
    "what held the agent back, one by one; empty: nothing did",
    list(told("in words, for people", line)),
    (cleared: readonly string[]) => cleared,
  ),
});

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
