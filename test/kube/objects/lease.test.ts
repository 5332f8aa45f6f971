import { describe, expect, test } from "vitest";
import {
  claimDueMs,
  leaderBefore,
  leadsUntilMs,
  readLease,
  type LeaseSight,
  type OwnClaim,
} from "../../../src/kube/objects/lease.ts";

const self = "agent-updater-1_aa";
const other = "agent-updater-2_bb";
const never = Number.POSITIVE_INFINITY;

function held(holder: string, seconds = 15): LeaseSight {
  return { lease: { resourceVersion: "7", holder, seconds }, sinceMs: 1000 };
}

const claim = (renewedMs?: number): OwnClaim => ({ self, durationMs: 30_000, renewedMs });

describe("the Lease is written", () => {
  test.each<readonly [string, LeaseSight | undefined, OwnClaim, number]>([
    ["not before it was seen", undefined, claim(), never],
    ["after its own time where there is none", { lease: undefined, sinceMs: 1000 }, claim(2000), 31_000],
    ["at once where it was given up", held(""), claim(), 1000],
    ["by who has it after a third of its time", held(self), claim(2000), 12_000],
    ["at once by who has it and began again", held(self), claim(), 1000],
    ["by another one after all of its holder's time, in which it was seen unchanged", held(other), claim(), 16_000],
    ["by who has lost it as by any other", held(other), claim(2000), 16_000],
  ])("%s", (_, sight, own, dueMs) => {
    expect(claimDueMs(sight, own)).toBe(dueMs);
  });
});

describe("this updater leads", () => {
  test.each<readonly [string, LeaseSight | undefined, OwnClaim, number]>([
    ["for two thirds of its time after the last renewal was sent", held(self), claim(2000), 22_000],
    ["not where another one has it", held(other), claim(2000), -never],
    ["not by what an earlier process has written", held(self), claim(), -never],
    ["not where nobody has it", held(""), claim(2000), -never],
    ["not where it was deleted", { lease: undefined, sinceMs: 1000 }, claim(2000), -never],
  ])("%s", (_, sight, own, untilMs) => {
    expect(leadsUntilMs(sight, own)).toBe(untilMs);
  });

  test("no longer by the time another one may take over", () => {
    const renewedMs = 2000;
    // The other one sees the write at the earliest when it is sent.
    const seenByOther = { ...held(self, 30), sinceMs: renewedMs };
    expect(leadsUntilMs(held(self, 30), claim(renewedMs))).toBeLessThan(claimDueMs(seenByOther, { ...claim(), self: other }));
  });

  test.each([
    [undefined, "nobody"],
    [held(""), "nobody"],
    [held(self), "this pod"],
    [held(other), "agent-updater-2_bb, which has not renewed it for 15 seconds"],
  ])("after %j: %s", (sight, before) => {
    expect(leaderBefore(sight, self)).toBe(before);
  });
});

describe("a Lease", () => {
  const metadata = { name: "agent-updater", resourceVersion: "7" };

  test.each([
    [{ metadata }, "", 0],
    [{ metadata, spec: {} }, "", 0],
    [{ metadata, spec: { holderIdentity: other, leaseDurationSeconds: 1e9 } }, other, 86_400],
  ])("%j is read", (found, holder, seconds) => {
    expect(readLease(found)).toEqual({ kind: "read", value: { resourceVersion: "7", holder, seconds } });
  });

  test.each([undefined, { metadata, spec: { holderIdentity: other, leaseDurationSeconds: -1 } }])("%j is not", (found) => {
    expect(readLease(found).kind).toBe("unreadable");
  });
});
