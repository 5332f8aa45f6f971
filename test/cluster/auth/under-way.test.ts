import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { UnderWay } from "../../../src/cluster/auth/under-way.ts";
import type { Connection } from "../../../src/machine/listening/connections.ts";

const connectionFrom = (from: string): Connection => ({
  from,
  socket: {} as Socket,
  lastAsked: 0,
  unanswered: 0,
  unread: 0,
});

test("one address has a bound, and others are let in; what has ended makes room", () => {
  const underWay = new UnderWay({ calls: 10, callsOfOneAddress: 2 });
  const crowd = connectionFrom("10.0.0.1");
  const begun = [underWay.begin(crowd), underWay.begin(crowd), underWay.begin(crowd)];
  expect(begun.map(({ isTooMany }) => isTooMany)).toEqual([false, false, true]);
  expect(crowd.unanswered).toBe(3);
  expect(underWay.begin(connectionFrom("10.0.0.2")).isTooMany).toBe(false);
  for (const { end } of begun) end();
  expect([crowd.unanswered, underWay.begin(crowd).isTooMany]).toEqual([0, false]);
});

test("where there are too many of all, whoever has less than others is let in all the same", () => {
  const underWay = new UnderWay({ calls: 8, callsOfOneAddress: 4 });
  const crowds = ["10.0.0.1", "10.0.0.2"].map(connectionFrom);
  for (const crowd of crowds) for (let calls = 0; calls < 4; calls += 1) expect(underWay.begin(crowd).isTooMany).toBe(false);
  const [one] = crowds;
  const third = connectionFrom("10.0.0.3");
  // A third of eight.
  expect([underWay.begin(third), underWay.begin(third), underWay.begin(third)].map(({ isTooMany }) => isTooMany)).toEqual([
    false,
    false,
    true,
  ]);
  expect(underWay.begin(one!).isTooMany).toBe(true);
  for (let host = 10; host < 100; host += 1) expect(underWay.begin(connectionFrom(`10.0.1.${host}`)).isTooMany).toBe(false);
});
