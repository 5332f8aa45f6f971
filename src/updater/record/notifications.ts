import { decode, type Reading } from "../../rules/shape/read.ts";
import { count, listOf, maybe, printable, record, truth, type Of } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { daySeconds } from "../../rules/window/seconds.ts";
import { event, type NotifyEvent } from "./event.ts";

/** More than a host reports in a day, unless something is very wrong; then the latest matter. */
export const mostWaiting = 20;
/** The number of units that the acting unit starts at once. */
export const mostAtOnce = 4;
/** After this time only the history keeps it. A network that is down for long is often the news itself. */
const longestWaitSeconds: number = daySeconds;
/** Limits the tries even if the clock is set back: twice the timer's ticks in a day. */
const mostTries = 300;

const notification = record({
  event,
  /** How often its command was started. */
  tries: count,
  /** The command was started, and its end is not known yet. */
  isUnderWay: truth,
  /** How its last command failed. */
  failure: maybe(printable(300)),
});
export type Notification = Of<typeof notification>;

/** The notifications that have not arrived yet, in the order of their events. */
export const notifications = record({ waiting: listOf(notification, mostWaiting, "last") }, { schema: 1 });

/** Room for every notification with the longest event. */
export const longestNotificationsBytes: number = 256 * 1024;

export function encodeNotifications(waiting: readonly Notification[]): string {
  return `${JSON.stringify(encode(notifications, { waiting }))}\n`;
}

export function decodeNotifications(found: string): Reading<{ readonly waiting: readonly Notification[] }> {
  return decode(found, notifications, "carried");
}

/** A notification that was given up, and why. */
export type Lost = { readonly notification: Notification; readonly why: string };

export type Queue = { readonly waiting: readonly Notification[]; readonly lost: readonly Lost[] };

/** Adds events that do not wait yet. The oldest are dropped if there are too many. */
export function put(waiting: readonly Notification[], events: readonly NotifyEvent[]): Queue {
  const ids = new Set(waiting.map(({ event: { id } }) => id));
  const added = events
    .filter(({ id }) => !ids.has(id))
    .map((one) => ({ event: one, tries: 0, isUnderWay: false, failure: undefined }));
  const all = [...waiting, ...added];
  const pushedOut = all.slice(0, Math.max(0, all.length - mostWaiting));
  return {
    waiting: all.slice(pushedOut.length),
    lost: pushedOut.map((one) => ({ notification: one, why: `more than ${mostWaiting} wait to be sent` })),
  };
}

/** How a command ended, or that it runs. "unknown" means that it left no trace, for example after a boot. */
export type Ended = { readonly kind: "delivered" | "running" | "unknown" } | { readonly kind: "failed"; readonly why: string };

/** Removes what has arrived. The others are tried again. */
export function heard(waiting: readonly Notification[], ends: ReadonlyMap<string, Ended>): readonly Notification[] {
  return waiting.flatMap((one) => {
    const end = one.isUnderWay ? (ends.get(one.event.id) ?? ({ kind: "unknown" } as const)) : undefined;
    switch (end?.kind) {
      case undefined:
      case "running":
        return [one];
      case "delivered":
        return [];
      case "failed":
        return [{ ...one, isUnderWay: false, failure: end.why }];
      case "unknown":
        return [
          { ...one, isUnderWay: false, failure: "nothing is known of its end: the host went down, or it was ended by force" },
        ];
    }
  });
}

/** Gives up notifications that waited too long, unless their command runs. */
export function expire(waiting: readonly Notification[], now: UnixSeconds): Queue {
  const isOver = ({ event: { at }, tries, isUnderWay }: Notification): boolean =>
    !isUnderWay && (now - at > longestWaitSeconds || tries >= mostTries);
  return {
    waiting: waiting.filter((one) => !isOver(one)),
    lost: waiting.filter(isOver).map((one) => ({ notification: one, why: tellGivenUp(one) })),
  };
}

function tellGivenUp({ tries, failure }: Notification): string {
  const tried =
    tries === 0 ? "it could not be sent" : `it was sent ${tries === 1 ? "once" : `${tries} times`} and did not arrive`;
  return `${tried} within 24 hours${failure === undefined ? "" : `; the last time: ${failure}`}`;
}

/** Returns the notifications to send next: those tried least, then the oldest, so that one that always fails blocks no other. */
export function nextOf(waiting: readonly Notification[]): readonly Notification[] {
  const underWay = waiting.filter(({ isUnderWay }) => isUnderWay).length;
  const ready = waiting.filter(({ isUnderWay }) => !isUnderWay).toSorted((one, other) => one.tries - other.tries);
  return ready.slice(0, Math.max(0, mostAtOnce - underWay));
}

export function sent(waiting: readonly Notification[], id: string): readonly Notification[] {
  return waiting.map((one) => (one.event.id === id ? { ...one, tries: one.tries + 1, isUnderWay: true } : one));
}
