import { decode, type Reading } from "../../rules/shape/read.ts";
import { count, listOf, maybe, printable, record, truth, type Of } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { daySeconds } from "../../rules/window/seconds.ts";
import { event, type NotifyEvent } from "./event.ts";

/** More than a host has to tell in a day, unless something is very wrong with it; then the latest are what is wanted. */
export const mostWaiting = 20;
/** As many units at once as the acting unit starts. */
export const mostAtOnce = 4;
/** A network that is down is often what there is to tell of. After a day it is in the history alone. */
const longestWaitSeconds: number = daySeconds;
/** A clock that was put back must not keep one for ever: twice as often as the timer comes round in a day. */
const mostTries = 300;

const notification = record({
  event,
  /** How often its command was started. */
  tries: count,
  /** It was started, and how that ended is not known yet. */
  isUnderWay: truth,
  /** How the last one ended. */
  failure: maybe(printable(300)),
});
export type Notification = Of<typeof notification>;

/** What has not arrived yet, in the order in which it happened. */
export const notifications = record({ waiting: listOf(notification, mostWaiting, "last") }, { schema: 1 });

/** All that waits, each with the longest event. */
export const longestNotificationsBytes: number = 256 * 1024;

export function encodeNotifications(waiting: readonly Notification[]): string {
  return `${JSON.stringify(encode(notifications, { waiting }))}\n`;
}

export function decodeNotifications(found: string): Reading<{ readonly waiting: readonly Notification[] }> {
  return decode(found, notifications, "carried");
}

/** One that will not arrive, and why not. */
export type Lost = { readonly notification: Notification; readonly why: string };

export type Queue = { readonly waiting: readonly Notification[]; readonly lost: readonly Lost[] };

/** One that waits already is not put in a second time; the oldest give way. */
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

/** How a command ended, or that it has not. "unknown": nothing is left of it, as after a boot. */
export type Ended = { readonly kind: "delivered" | "running" | "unknown" } | { readonly kind: "failed"; readonly why: string };

/** What has arrived is gone; what has not is tried again. */
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

/** Gives up what has waited for too long. One that is under way may still arrive. */
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

/** What is sent next: what was tried least, and of that the oldest, so that one which always fails keeps no other back. */
export function nextOf(waiting: readonly Notification[]): readonly Notification[] {
  const underWay = waiting.filter(({ isUnderWay }) => isUnderWay).length;
  const ready = waiting.filter(({ isUnderWay }) => !isUnderWay).toSorted((one, other) => one.tries - other.tries);
  return ready.slice(0, Math.max(0, mostAtOnce - underWay));
}

export function sent(waiting: readonly Notification[], id: string): readonly Notification[] {
  return waiting.map((one) => (one.event.id === id ? { ...one, tries: one.tries + 1, isUnderWay: true } : one));
}
