import { expect, test } from "vitest";
import { ticketKeysOf } from "../../../src/cluster/auth/ticket-keys.ts";
import { startOverTls } from "./over-tls.ts";

const day = 86_400;

test("every auth has the same keys, also where they begin at once", async () => {
  await using running = await startOverTls();
  const all = await Promise.all([1, 2, 3].map(() => ticketKeysOf(running.store, running.clock.now)));
  expect(new Set(all.map((keys) => keys.toString("hex"))).size).toBe(1);
  expect(all[0]).toHaveLength(48);
});

test.each([
  ["a day less a second", "the same", day - 1],
  ["a day", "others", day],
  ["an auth whose clock is a day behind", "the same", -day],
  ["a clock that was years ahead", "others", -400 * day],
])("after %s they are %s", async (_what, kept, later) => {
  await using running = await startOverTls();
  const { now } = running.clock;
  const first = await ticketKeysOf(running.store, now);
  const then = await ticketKeysOf(running.store, now + later);
  expect(then.equals(first) ? "the same" : "others").toBe(kept);
  expect((await ticketKeysOf(running.store, now + later)).equals(then)).toBe(true);
});

test.each([
  ["no keys", {}],
  ["keys that are too short", { keys: "AAAA", made: 0 }],
  ["keys of no time", { keys: Buffer.alloc(48).toString("base64"), made: "today" }],
])("%s in the store are replaced, never used", async (_what, body) => {
  await using running = await startOverTls();
  const { store, clock } = running;
  const item = { kind: "ticket-keys", name: "current" };
  await store.commit({
    at: clock.now,
    by: "somebody",
    changes: [{ kind: "put", item, body, expect: { kind: "anything" } }],
    audit: [],
  });
  const keys = await ticketKeysOf(store, clock.now);
  expect([keys.length, keys.equals(Buffer.alloc(48))]).toEqual([48, false]);
  expect((await ticketKeysOf(store, clock.now)).equals(keys)).toBe(true);
});
