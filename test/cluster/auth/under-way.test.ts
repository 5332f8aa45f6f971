import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
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

type Begun = { readonly isLet: boolean; readonly end: () => void };

function begin(underWay: UnderWay, connection: Connection): Begun {
  const response = new EventEmitter();
  const isLet = underWay.begin(connection, response as ServerResponse);
  return { isLet, end: () => void response.emit("close") };
}

test("one address has a bound, and others are let in; what has ended makes room", () => {
  const underWay = new UnderWay({ calls: 10, callsOfOneAddress: 2 });
  const crowd = connectionFrom("10.0.0.1");
  const begun = [begin(underWay, crowd), begin(underWay, crowd), begin(underWay, crowd)];
  expect(begun.map(({ isLet }) => isLet)).toEqual([true, true, false]);
  expect(crowd.unanswered).toBe(3);
  expect(begin(underWay, connectionFrom("10.0.0.2")).isLet).toBe(true);
  for (const { end } of begun) end();
  expect([crowd.unanswered, begin(underWay, crowd).isLet]).toEqual([0, true]);
});

test("where there are too many of all, whoever has less than others is let in all the same", () => {
  const underWay = new UnderWay({ calls: 8, callsOfOneAddress: 4 });
  const crowds = ["10.0.0.1", "10.0.0.2"].map(connectionFrom);
  for (const crowd of crowds) for (let calls = 0; calls < 4; calls += 1) expect(begin(underWay, crowd).isLet).toBe(true);
  const [one] = crowds;
  const third = connectionFrom("10.0.0.3");
  // A third of eight.
  expect([begin(underWay, third), begin(underWay, third), begin(underWay, third)].map(({ isLet }) => isLet)).toEqual([
    true,
    true,
    false,
  ]);
  expect(begin(underWay, one!).isLet).toBe(false);
  for (let host = 10; host < 100; host += 1) expect(begin(underWay, connectionFrom(`10.0.1.${host}`)).isLet).toBe(true);
});
