import { expect } from "vitest";
import { ticketKeysOf } from "../../../src/cluster/auth/ticket-keys.ts";
import { testOverTls as test } from "./fixtures.ts";
import { commit, put } from "../storage/filled.ts";

const day = 86_400;

test("every auth has the same keys, also where they begin at once", async ({ running }) => {
  const all = await Promise.all([1, 2, 3].map(() => ticketKeysOf(running.store, running.clock.now)));
  expect(new Set(all.map((keys) => keys.toString("hex"))).size).toBe(1);
  expect(all[0]).toHaveLength(48);
});

test.for([
  ["a day less a second", "the same", day - 1],
  ["a day", "others", day],
  ["an auth whose clock is a day behind", "the same", -day],
  ["a clock that was years ahead", "others", -400 * day],
] as const)("after %s they are %s", async ([_what, kept, later], { running }) => {
  const { now } = running.clock;
  const first = await ticketKeysOf(running.store, now);
  const then = await ticketKeysOf(running.store, now + later);
  expect(then.equals(first) ? "the same" : "others").toBe(kept);
  expect((await ticketKeysOf(running.store, now + later)).equals(then)).toBe(true);
});

test.for([
  ["no keys", {}],
  ["keys that are too short", { keys: "AAAA", made: 0 }],
  ["keys of no time", { keys: Buffer.alloc(48).toString("base64"), made: "today" }],
] as const)("%s in the store are replaced, never used", async ([_what, body], { running }) => {
  const { store, clock } = running;
  await store.commit(commit([put("ticket-keys", "current", body)]));
  const keys = await ticketKeysOf(store, clock.now);
  expect([keys.length, keys.equals(Buffer.alloc(48))]).toEqual([48, false]);
  expect((await ticketKeysOf(store, clock.now)).equals(keys)).toBe(true);
});
