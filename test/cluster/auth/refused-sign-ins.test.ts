import fc from "fast-check";
import { expect, test } from "vitest";
import { makeRefusedSignIns, type RefusedSignIn } from "../../../src/cluster/auth/refused-sign-ins.ts";
import type { AuditEntry, Commit, Committed } from "../../../src/cluster/storage/port.ts";

const noon = 1_767_614_400;
const one: RefusedSignIn = { address: "203.0.113.7", user: "anna", why: "password", now: noon };

function keeping(): { readonly entries: AuditEntry[]; readonly commit: (commit: Commit) => Promise<Committed> } {
  const entries: AuditEntry[] = [];
  const commit = ({ audit, changes }: Commit): Promise<Committed> => {
    expect([changes.length, audit.length <= 100]).toEqual([0, true]);
    entries.push(...audit);
    return Promise.resolve({ kind: "done", revision: "1" as never });
  };
  return { entries, commit };
}

test("a minute is told once it is over, the others later, and at the end everything", async () => {
  const refused = makeRefusedSignIns();
  const { entries, commit } = keeping();
  refused.note(one);
  refused.note({ ...one, why: "code", now: noon + 59 });
  await refused.write({ commit }, noon + 59, "minutes-that-are-over");
  expect(entries).toEqual([]);
  refused.note({ ...one, user: undefined, now: noon + 60 });
  await refused.write({ commit }, noon + 60, "minutes-that-are-over");
  expect(entries).toMatchObject([
    {
      event: "sign-in.refused",
      origin: one.address,
      name: "anna",
      detail: "2 in the minute from 2026-01-05T12:00Z, anna 2, with the right password and a wrong code 1",
    },
  ]);
  await refused.write({ commit }, noon + 60, "all");
  expect(entries[1]).toMatchObject({
    name: "several",
    detail: "1 in the minute from 2026-01-05T12:01Z, users that do not exist 1",
  });
  expect(refused.size()).toBe(0);
});

test("what could not be written is told the next time", async () => {
  const refused = makeRefusedSignIns();
  refused.note(one);
  const failing = { commit: () => Promise.reject(new Error("the disk is full")) };
  await expect(refused.write(failing, noon, "all")).rejects.toThrow("the disk is full");
  const { entries, commit } = keeping();
  await refused.write({ commit }, noon, "all");
  expect(entries).toHaveLength(1);
});

test("whatever is tried from wherever, all of it is counted, in few entries", async () => {
  const attempts = fc.array(
    fc.record({
      address: fc.nat({ max: 300 }).map((last) => `198.51.100.${last}`),
      user: fc.option(
        fc.nat({ max: 50 }).map((number) => `user${number}`),
        { nil: undefined },
      ),
      why: fc.constantFrom("password", "code", "paused"),
      now: fc.nat({ max: 240 }).map((later) => noon + later),
    }),
    { maxLength: 300 },
  );
  await fc.assert(
    fc.asyncProperty(attempts, async (all) => {
      const refused = makeRefusedSignIns();
      for (const attempt of all) refused.note(attempt);
      expect(refused.size()).toBeLessThanOrEqual(5 * 21);
      const { entries, commit } = keeping();
      await refused.write({ commit }, noon + 300, "all");
      const counted = entries.reduce((sum, { detail }) => sum + Number.parseInt(detail, 10), 0);
      expect(counted).toBe(all.length);
    }),
    { numRuns: 50 },
  );
});
