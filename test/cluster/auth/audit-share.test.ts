import { expect, test } from "vitest";
import { shareAudit } from "../../../src/cluster/auth/audit-share.ts";
import { commitFor } from "../../../src/cluster/auth/commit.ts";
import type { Caller } from "../../../src/cluster/auth/caller.ts";

const proxy = { proxy: "0b9d7c1e-5f0a-4a7b-9a51-3f0e6a1c2d44", address: "203.0.113.7" };
const person = (user: string): Caller => ({ kind: "person", user, ...proxy }) as Caller;

test("a person who has filled their share of the audit is refused until there is room; others go on, and a session can be ended", async () => {
  let [now, written] = [1_795_000_000, 0];
  const context = {
    store: {
      commit: ({ audit }: { audit: readonly unknown[] }) =>
        Promise.resolve({ kind: "committed", revision: (written += audit.length) }),
    },
    now: () => now,
    log: () => undefined,
    people: { audit: shareAudit() },
  };
  const act = (caller: Caller | "auth", rows: number, event = "shell.certified"): Promise<unknown> => {
    const audit = Array.from({ length: rows }, () => ({ event, kind: "instance", name: "web1" }) as const);
    return commitFor(caller, { changes: [], audit }, context as never);
  };
  await act(person("eve"), 20_000);
  const refused = { code: "auth-busy", message: expect.stringContaining("20000 entries"), retryAfterSeconds: 60 };
  await expect(act(person("eve"), 1)).rejects.toMatchObject(refused);
  expect(written).toBe(20_000);
  await act(person("eve"), 1, "session.ended");
  await act(person("ida"), 1);
  await act({ kind: "root", host: "auth1" }, 1);
  await act("auth", 1);
  now -= 86_400;
  await act(person("ida"), 1);
  now += 86_410;
  await act(person("eve"), 10);
  await expect(act(person("eve"), 1)).rejects.toMatchObject(refused);
});
