import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeEvent, event as eventShape, longestEventBytes, type NotifyEvent } from "../../../src/updater/record/event.ts";
import {
  decodeNotifications,
  encodeNotifications,
  expire,
  heard,
  longestNotificationsBytes,
  mostWaiting,
  nextOf,
  put,
  type Ended,
  type Notification,
} from "../../../src/updater/record/notifications.ts";
import { arbitraryOf } from "../../rules/shape/arbitrary.ts";

const day = 86_400;

function eventOf(number: number, at: number = 0): NotifyEvent {
  const id = number.toString(16).padStart(32, "0");
  const nothing = { next: undefined, channel: undefined, move: undefined, fault: undefined };
  return { id, at, host: "h", kind: "moved", told: `event ${number}`, package: "svc-ent", ...nothing };
}

function waiting(number: number, changes: Partial<Notification> = {}): Notification {
  return { event: eventOf(number), tries: 0, isUnderWay: false, failure: undefined, ...changes };
}

const numbers = (rows: readonly Notification[]): readonly number[] => rows.map(({ event: { id } }) => Number.parseInt(id, 16));

describe("the notifications that wait", () => {
  test("come in their order, each once, and the oldest give way and are told", () => {
    const first = put([], [eventOf(1), eventOf(2)]);
    expect(numbers(first.waiting)).toEqual([1, 2]);
    expect(numbers(put(first.waiting, [eventOf(2), eventOf(3)]).waiting)).toEqual([1, 2, 3]);
    const many = put(
      [],
      Array.from({ length: mostWaiting + 2 }, (_, at) => eventOf(at)),
    );
    expect(numbers(many.waiting)[0]).toBe(2);
    expect(many.waiting).toHaveLength(mostWaiting);
    expect(many.lost.map(({ notification, why }) => [notification.event.told, why])).toEqual([
      ["event 0", "more than 20 wait to be sent"],
      ["event 1", "more than 20 wait to be sent"],
    ]);
  });

  test.each<[string, Ended | undefined, readonly Partial<Notification>[]]>([
    ["arrived", { kind: "delivered" }, []],
    ["still runs", { kind: "running" }, [{ isUnderWay: true }]],
    ["failed", { kind: "failed", why: "w" }, [{ isUnderWay: false, failure: "w" }]],
    ["is not known any more", { kind: "unknown" }, [{ isUnderWay: false }]],
    ["nobody speaks of", undefined, [{ isUnderWay: false }]],
  ])("go once their command %s", (_what, end, left) => {
    const one = waiting(1, { isUnderWay: true, tries: 1 });
    const after = heard([one], new Map(end === undefined ? [] : [[one.event.id, end]]));
    expect(after).toMatchObject(left);
    expect(after).toHaveLength(left.length);
  });

  test("are not touched by the end of what was not started", () => {
    const one = waiting(1);
    expect(heard([one], new Map([[one.event.id, { kind: "delivered" }]]))).toEqual([one]);
  });

  test("are given up after a day, or where a clock would keep them for ever; never while they are under way", () => {
    const old = waiting(1, { event: eventOf(1, 0), tries: 3, failure: "no network" });
    expect(expire([old], day).lost).toEqual([]);
    const { waiting: left, lost } = expire([old, waiting(2, { event: eventOf(2, 5) })], day + 1);
    expect(numbers(left)).toEqual([2]);
    expect(lost.map(({ why }) => why)).toEqual([
      "it was sent 3 times and did not arrive within 24 hours; the last time: no network",
    ]);
    expect(expire([{ ...old, isUnderWay: true }], 10 * day).lost).toEqual([]);
    expect(expire([waiting(1, { event: eventOf(1, 9 * day), tries: 299 })], day).lost).toEqual([]);
    expect(expire([waiting(1, { event: eventOf(1, 9 * day), tries: 300 })], day).lost).toHaveLength(1);
    expect(expire([waiting(1)], 2 * day).lost[0]?.why).toBe("it could not be sent within 24 hours");
    expect(expire([waiting(1, { tries: 1 })], 2 * day).lost[0]?.why).toBe("it was sent once and did not arrive within 24 hours");
  });

  test("are started the least tried first, and then the oldest, no more at once than may be", () => {
    const rows = [waiting(1, { tries: 2 }), waiting(2, { isUnderWay: true }), waiting(3), waiting(4, { tries: 1 }), waiting(5)];
    expect(numbers(nextOf(rows))).toEqual([3, 5, 4]);
    expect(nextOf(rows.map((one) => ({ ...one, isUnderWay: true })))).toEqual([]);
  });

  const rows = fc.array(
    fc.record({
      event: arbitraryOf(eventShape, "any"),
      tries: fc.nat(400),
      isUnderWay: fc.boolean(),
      failure: fc.option(fc.string(), { nil: undefined }),
    }),
    { maxLength: mostWaiting },
  );

  test("are written and read again, the longest too, and never more than may be", () => {
    fc.assert(
      fc.property(rows, fc.array(arbitraryOf(eventShape, "any"), { maxLength: 30 }), (before, events) => {
        const { waiting: after, lost } = put(before, events);
        expect(after.length).toBeLessThanOrEqual(mostWaiting);
        const known = new Set(before.map(({ event: { id } }) => id));
        const added = events.filter(({ id }) => !known.has(id));
        expect(after.length + lost.length).toBe(before.length + added.length);
        const text = encodeNotifications(after);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(longestNotificationsBytes);
        const read = decodeNotifications(text);
        if (read.kind !== "read") throw new Error(read.why);
        expect(encodeNotifications(read.value.waiting)).toBe(text);
      }),
    );
  });

  test("of the longest words fit what is read of them, and each what may be sent", () => {
    const long = "\u{1F6A8}".repeat(2000);
    const fault = { code: "channel-unreachable" as const, message: long, hint: long };
    const move = { kind: "downgrade" as const, why: "critical" as const, from: long, to: long, seconds: 86_400 };
    const longest: NotifyEvent = {
      ...eventOf(1),
      kind: "contact-regained",
      host: long,
      told: long,
      next: long,
      package: long,
      channel: long,
      move,
      fault,
    };
    expect(Buffer.byteLength(encodeEvent(longest))).toBeLessThanOrEqual(longestEventBytes);
    const all = Array.from({ length: mostWaiting }, () => waiting(1, { event: longest, failure: long }));
    expect(Buffer.byteLength(encodeNotifications(all))).toBeLessThanOrEqual(longestNotificationsBytes);
  });
});
